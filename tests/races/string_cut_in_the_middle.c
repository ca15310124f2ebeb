// not none
#include <pthread.h>
#include <string.h>
static int length;
static char box[8] = "abcdefg";
static void *put(void *p) {
  box[5] = 0;
  return p;
}
static void *get(void *p) {
  length = (int)strlen(box);
  return p;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, put, 0);
  pthread_create(&b, 0, get, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
