/* Hazard pointers: a reader announces what it is about to read, and looks again; the owner frees what nobody has announced. */
#include <pthread.h>
#include <stdatomic.h>
#ifdef WRONG
#define STORE memory_order_release
#define LOAD memory_order_acquire
#else
#define STORE memory_order_seq_cst
#define LOAD memory_order_seq_cst
#endif
static atomic_int current, hazard, alive[2];
int freed_is_read;
static void *reader(void *p) {
  for (int k = 0; k < 2; k++) {
    int i = atomic_load_explicit(&current, LOAD);
    atomic_store_explicit(&hazard, i + 1, STORE);
    if (atomic_load_explicit(&current, LOAD) != i) continue;
    if (!atomic_load_explicit(&alive[i], memory_order_relaxed)) freed_is_read = 1;
    atomic_store_explicit(&hazard, 0, memory_order_release);
    break;
  }
  return p;
}
static void *owner(void *p) {
  atomic_store_explicit(&alive[1], 1, memory_order_relaxed);
  atomic_store_explicit(&current, 1, STORE);
  if (atomic_load_explicit(&hazard, LOAD) != 1) atomic_store_explicit(&alive[0], 0, memory_order_relaxed);
  return p;
}
int main(void) {
  pthread_t a, b;
  atomic_store_explicit(&alive[0], 1, memory_order_relaxed);
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, owner, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
