/* A work queue: work is queued once, by a bit; the worker runs it through its function. */
#include "kernel.h"
struct adapter { struct work_struct reset; unsigned long state; atomic_t irqs; int resets; };
static struct adapter adapter;
static struct work_struct *queued;
static DEFINE_SPINLOCK(work_lock);
int started, finished, stop;
static bool queue_work(struct work_struct *work)
{
  bool ret = false;
  spin_lock(&work_lock);
  if (!test_and_set_bit(1, &work->data)) {
    queued = work;
    started++;
    ret = true;
  }
  spin_unlock(&work_lock);
  return ret;
}
static void reset_task(struct work_struct *work)
{
  struct adapter *a = container_of(work, struct adapter, reset);
  a->resets++;
  finished = a->resets;
}
static void *worker(void *unused)
{
  for (;;) {
    struct work_struct *work;
    spin_lock(&work_lock);
    work = queued;
    queued = NULL;
    if (work)
      clear_bit(1, &work->data);
    spin_unlock(&work_lock);
    if (!work)
      break;
    work->func(work);
  }
  return NULL;
}
static void *irq(void *unused)
{
  atomic_inc(&adapter.irqs);
  if (test_and_set_bit_goto(3, &adapter.state))
    return NULL;
  queue_work(&adapter.reset);
  clear_bit(3, &adapter.state);
  return NULL;
}
int main(void)
{
  pthread_t a, b;
  INIT_WORK(&adapter.reset, reset_task);
  pthread_create(&a, NULL, irq, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  worker(NULL);
  return 0;
}
