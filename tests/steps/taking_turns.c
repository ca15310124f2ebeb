/* Two threads go round the same parts: that each begins with its own says nothing of later rounds. */
#include <pthread.h>
struct part {
  int sum;
  struct part *next;
};
static struct part parts[2] = {{0, &parts[1]}, {0, &parts[0]}};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int total, done;
static void *add(void *of) {
  struct part *p = of;
  int i = 0;
  while (i < 2) {
#ifndef WRONG
    pthread_mutex_lock(&lock);
#endif
    p->sum++;
#ifndef WRONG
    pthread_mutex_unlock(&lock);
#endif
    p = p->next;
    i++;
  }
  return 0;
}
int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, add, &parts[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  total = parts[0].sum + parts[1].sum;
  done = 1;
}
