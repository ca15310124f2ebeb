// race
#include <stdatomic.h>
#include <pthread.h>
#include <stdio.h>
struct work { atomic_int *counter; atomic_bool *ready; int *data; };
int seen = -1, total;
static void *producer(void *arg) {
  struct work *w = arg;
  *w->data = 42;
  atomic_store_explicit(w->ready, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(w->counter, 1, memory_order_relaxed);
  return NULL;
}
static void *consumer(void *arg) {
  struct work *w = arg;
  if (atomic_load_explicit(w->ready, memory_order_acquire))
    seen = *w->data;
  atomic_fetch_add_explicit(w->counter, 1, memory_order_relaxed);
  return NULL;
}
int main(void) {
  atomic_int counter = 0;
  atomic_bool ready = 0;
  int data = 0;
  struct work w = {&counter, &ready, &data};
  pthread_t a, b;
  pthread_create(&a, NULL, producer, &w);
  pthread_create(&b, NULL, consumer, &w);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  total = atomic_load(&counter);
  printf("%d\n", total);
  return 0;
}
