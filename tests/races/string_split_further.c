// not none
#include <pthread.h>
#include <string.h>
static char text[16] = "a,bb,cc", *rest, *word;
static void *split(void *p) {
  word = strtok_r(0, ",", &rest);
  return p;
}
static void *put(void *p) {
  text[4] = 'x';
  return p;
}
int main(void) {
  pthread_t a, b;
  strtok_r(text, ",", &rest);
  pthread_create(&a, 0, split, 0);
  pthread_create(&b, 0, put, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
