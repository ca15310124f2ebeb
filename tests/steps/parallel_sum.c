/* Each thread adds up a part of an array; the loops are no business of others. */
#include <pthread.h>
#define THREADS 3
struct part { const int *from; int count, sum; };
static int data[] = {3, 1, 4, 1, 5, 9};
static struct part parts[THREADS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int total, done;
static void *add(void *of) {
  struct part *p = of;
  for (int i = 0; i < p->count; i++) p->sum += p->from[i];
#ifndef WRONG
  pthread_mutex_lock(&lock);
#endif
  total += p->sum;
#ifndef WRONG
  pthread_mutex_unlock(&lock);
#endif
  return 0;
}
int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    parts[i].from = &data[2 * i];
    parts[i].count = 2;
    pthread_create(&threads[i], 0, add, &parts[i]);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
  done = 1;
}
