/* A ring between two threads whose positions run freely. */
#include <stdatomic.h>
#include <pthread.h>
#define CAP 2u
#ifdef WRONG
#define REL memory_order_relaxed
#else
#define REL memory_order_release
#endif
static struct { atomic_uint head, tail; int buf[CAP]; } q;
int bad, got;
static int push(int v) {
  unsigned h = atomic_load_explicit(&q.head, memory_order_relaxed);
  unsigned t = atomic_load_explicit(&q.tail, memory_order_acquire);
  if (h - t == CAP) return 0;
  q.buf[h % CAP] = v;
  atomic_store_explicit(&q.head, h + 1, REL);
  return 1;
}
static int pop(int *v) {
  unsigned t = atomic_load_explicit(&q.tail, memory_order_relaxed);
  unsigned h = atomic_load_explicit(&q.head, memory_order_acquire);
  if (h == t) return 0;
  *v = q.buf[t % CAP];
  atomic_store_explicit(&q.tail, t + 1, memory_order_release);
  return 1;
}
static void *producer(void *u) { int k = 0; for (;;) { if (push(k)) k = !k; } return u; }
int main(void) {
  pthread_t t; pthread_create(&t, 0, producer, 0);
  int want = 0, v;
  for (;;) if (pop(&v)) { if (v != want) bad = 1; want = !want; got = 1; got = 0; }
}
