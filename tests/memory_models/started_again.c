/* What a thread stores relaxed carries nothing of what another one has released that had its number. */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, data; int d = -1;
static void *w(void *a) {
  if (*(int *)a == 0) { atomic_store_explicit(&data, 1, memory_order_relaxed); atomic_store_explicit(&x, 1, memory_order_release); }
  else atomic_store_explicit(&x, 2, memory_order_relaxed);
  return 0;
}
static void *r(void *u) { if (atomic_load_explicit(&x, memory_order_acquire) == 2) d = atomic_load_explicit(&data, memory_order_relaxed); return u; }
int main(void) {
  static int id[2] = {0, 1}; pthread_t t, q; int n = 0;
  pthread_create(&q, 0, r, 0);
  while (n < 2) { pthread_create(&t, 0, w, &id[n]); pthread_join(t, 0); n++; }
  pthread_join(q, 0);
}
