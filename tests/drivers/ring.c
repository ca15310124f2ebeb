/* A receive ring: an interrupt fills it, a reader drains it under a lock with tickets. */
#include "kernel.h"
struct packet { int length; u8 state; };
struct ring { spinlock_t lock; unsigned int head, tail; struct packet slot[4]; unsigned long flags; };
static struct ring rx = { .lock = __SPIN_LOCK_UNLOCKED };
int received, drained, overrun;
static int ring_space(const struct ring *r) { return ARRAY_SIZE(r->slot) - (r->head - r->tail); }
static void rx_interrupt(struct ring *r, int length)
{
  unsigned long flags;
  spin_lock_irqsave(&r->lock, flags);
  if (ring_space(r) > 0) {
    struct packet *p = &r->slot[r->head % ARRAY_SIZE(r->slot)];
    p->length = min(length, 64);
    p->state = 1;
    r->head++;
    received++;
  } else {
    set_bit(0, &r->flags);
    overrun++;
  }
  spin_unlock_irqrestore(&r->lock, flags);
}
static int rx_poll(struct ring *r, int budget)
{
  int done = 0;
  unsigned long flags;
  while (done < budget) {
    struct packet *p;
    spin_lock_irqsave(&r->lock, flags);
    if (r->head == r->tail) {
      spin_unlock_irqrestore(&r->lock, flags);
      break;
    }
    p = &r->slot[r->tail % ARRAY_SIZE(r->slot)];
    BUG_ON(p->length > 64);
    p->state = 0;
    r->tail++;
    done++;
    drained++;
    spin_unlock_irqrestore(&r->lock, flags);
  }
  return done;
}
static void *isr(void *unused) { rx_interrupt(&rx, 100); rx_interrupt(&rx, 12); return NULL; }
static void *poll(void *unused) { rx_poll(&rx, 2); return NULL; }
int main(void)
{
  pthread_t a, b;
  pthread_create(&a, NULL, isr, NULL);
  pthread_create(&b, NULL, poll, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  rx_poll(&rx, 2);
  return 0;
}
