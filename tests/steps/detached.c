/* Detached threads of one kind, of which the last one wakes another; main ends first. */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int live, finished;
static void *job(void *u) {
  pthread_mutex_lock(&m);
  live--;
#ifdef WRONG
  if (live == 1)
#else
  if (live == 0)
#endif
    pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return 0;
}
static void *joiner(void *u) {
  pthread_mutex_lock(&m);
  while (live > 0) pthread_cond_wait(&c, &m);
  finished = 1;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_attr_t at; pthread_attr_init(&at); pthread_attr_setdetachstate(&at, PTHREAD_CREATE_DETACHED);
  pthread_t t;
  pthread_mutex_lock(&m); live = 3; pthread_mutex_unlock(&m);
  for (int i = 0; i < 3; i++) pthread_create(&t, &at, job, 0);
  pthread_create(&t, 0, joiner, 0);
  pthread_exit(0);
}
