// none
#include <pthread.h>
#include <stdatomic.h>
static int data[6]; static atomic_int next;
static void *run(void *a) {
  for (;;) {
    int i = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
    if (i >= 6) return 0;
    data[i] = i * i;
  }
}
int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, run, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  int s = 0; for (int i = 0; i < 6; i++) s += data[i];
  return s;
}
