#include <pthread.h>
volatile int ready;
int x;
void *a(void *q) {
  ready = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, a, 0);
  while (!ready)
    ;
  x = 1;
  pthread_join(t, 0);
  return 0;
}
