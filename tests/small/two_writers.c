#include <pthread.h>
int x;
void *a(void *q) {
  x = 1;
  return q;
}
void *c(void *q) {
  x = 2;
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
