/* Objects in a list under a lock, taken by a reference that is refused when the last one has gone; the last one frees. */
#include "kernel.h"
struct session { struct list_head node; atomic_t refs; u32 id; int closed; };
static LIST_HEAD(sessions);
static DEFINE_SPINLOCK(sessions_lock);
int uses_after_close, released, found;
static struct session *session_get(u32 id)
{
  struct session *s, *result = NULL;
  unsigned long flags;
  spin_lock_irqsave(&sessions_lock, flags);
  list_for_each_entry(s, &sessions, node)
    if (s->id == id) {
      if (atomic_inc_not_zero(&s->refs))
        result = s;
      break;
    }
  spin_unlock_irqrestore(&sessions_lock, flags);
  return result;
}
static void session_put(struct session *s)
{
  if (atomic_dec_and_test(&s->refs)) {
    spin_lock(&sessions_lock);
    list_del(&s->node);
    spin_unlock(&sessions_lock);
    s->closed = 1;
    released++;
  }
}
static void *looker(void *unused)
{
  struct session *s = session_get(7);
  if (s) {
    found = 1;
    if (s->closed)
      uses_after_close = 1;
    session_put(s);
  }
  return NULL;
}
static void *closer(void *argument) { session_put(argument); return NULL; }
int main(void)
{
  pthread_t a, b;
  static struct session one = { .refs = ATOMIC_INIT(1), .id = 7 };
  list_add_tail(&one.node, &sessions);
  pthread_create(&a, NULL, looker, NULL);
  pthread_create(&b, NULL, closer, &one);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
