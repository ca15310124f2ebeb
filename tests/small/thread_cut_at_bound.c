#include <pthread.h>
int x;
void *a(void *q) {
  for (int i = 0; i < 10; i++)
    x = i;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, a, 0);
  pthread_join(t, 0);
  return 0;
}
