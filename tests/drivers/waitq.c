/* A wait queue: a reader sleeps until a timer has completed the request. */
#include "kernel.h"
struct request { int status; int done; struct list_head queue; };
static DECLARE_WAIT_QUEUE_HEAD(waiters);
static DEFINE_SPINLOCK(queue_lock);
static LIST_HEAD(pending);
int completed, woken;
static void *timer(void *unused)
{
  struct request *r, *next;
  spin_lock(&queue_lock);
  list_for_each_entry_safe(r, next, &pending, queue) {
    list_del(&r->queue);
    r->status = clamp(r->status, -EAGAIN, 7);
    WRITE_ONCE(r->done, 1);
    completed++;
  }
  spin_unlock(&queue_lock);
  wake_up(&waiters);
  return NULL;
}
int main(void)
{
  pthread_t t;
  struct request one = { .status = 12, .done = 0 };
  spin_lock(&queue_lock);
  list_add(&one.queue, &pending);
  spin_unlock(&queue_lock);
  pthread_create(&t, NULL, timer, NULL);
  int interrupted = wait_event_interruptible(waiters, READ_ONCE(one.done));
  if (!interrupted)
    woken = 1;
  pthread_join(t, NULL);
  return one.status == 7 ? 0 : 1;
}
