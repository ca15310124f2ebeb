#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int x;
void *a(void *q) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&n);
  x++;
  pthread_mutex_unlock(&n);
  pthread_mutex_unlock(&m);
  return q;
}
void *c(void *q) {
  pthread_mutex_lock(&n);
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&n);
  return q;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, a, 0);
  pthread_create(&u, 0, c, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
