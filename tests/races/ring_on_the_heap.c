// none
#include <stdatomic.h>
#include <stdlib.h>
#include <pthread.h>
#define SIZE 2
struct queue {
  atomic_size_t head, tail;
  int items[SIZE];
  pthread_mutex_t stats_lock;
  int puts;
};
int wrong, got;
static void *producer(void *arg) {
  struct queue *q = arg;
  for (int i = 1; i <= 2; i++) {
    size_t h = atomic_load_explicit(&q->head, memory_order_relaxed);
    while (h - atomic_load_explicit(&q->tail, memory_order_acquire) == SIZE)
      ;
    q->items[h % SIZE] = i;
    atomic_store_explicit(&q->head, h + 1, memory_order_release);
    pthread_mutex_lock(&q->stats_lock);
    q->puts++;
    pthread_mutex_unlock(&q->stats_lock);
  }
  return NULL;
}
static void *consumer(void *arg) {
  struct queue *q = arg;
  for (int i = 1; i <= 2; i++) {
    size_t t = atomic_load_explicit(&q->tail, memory_order_relaxed);
    while (atomic_load_explicit(&q->head, memory_order_acquire) == t)
      ;
    if (q->items[t % SIZE] != i) wrong = 1;
    atomic_store_explicit(&q->tail, t + 1, memory_order_release);
    got++;
  }
  return NULL;
}
int main(void) {
  struct queue *q = calloc(1, sizeof *q);
  if (!q) return 1;
  pthread_mutex_init(&q->stats_lock, NULL);
  pthread_t p, c;
  pthread_create(&p, NULL, producer, q);
  pthread_create(&c, NULL, consumer, q);
  pthread_join(p, NULL);
  pthread_join(c, NULL);
  free(q);
  return 0;
}
