#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *a(void *q) {
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  return q;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, a, 0);
  pthread_create(&u, 0, a, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
