// none
#include <pthread.h>
#include <string.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int full, length;
static char box[8];
static void *put(void *p) {
  memcpy(box, "hello", 6);
  pthread_mutex_lock(&lock);
  full = 1;
  pthread_cond_signal(&filled);
  pthread_mutex_unlock(&lock);
  return p;
}
static void *get(void *p) {
  pthread_mutex_lock(&lock);
  while (!full) pthread_cond_wait(&filled, &lock);
  pthread_mutex_unlock(&lock);
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
