#include <pthread.h>
int gt(int v) { return v > 0; }
void *a(void *q) {
  int k = 0;
b:
  k = 1;
  k = 0;
e:
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, a, 0);
  pthread_create(&u, 0, a, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
