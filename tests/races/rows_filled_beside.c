// none
#include <pthread.h>
#include <string.h>
static char rows[2][32];
static void *first(void *p) {
  memset(rows[0], 1, sizeof rows[0]);
  return p;
}
static void *second(void *p) {
  memset(rows[1], 2, sizeof rows[1]);
  return p;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
