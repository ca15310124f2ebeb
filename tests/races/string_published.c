// none
#include <pthread.h>
#include <string.h>
#include <stdatomic.h>
static atomic_int full; static int length;
static char box[8];
static void *put(void *p) {
  memcpy(box, "hello", 6);
  atomic_store_explicit(&full, 1, memory_order_release);
  return p;
}
static void *get(void *p) {
  if (!atomic_load_explicit(&full, memory_order_acquire)) return p;
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
