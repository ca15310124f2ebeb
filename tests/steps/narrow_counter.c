/* A loop that counts, and one that never ends because its counter wraps around. */
#include <pthread.h>
static unsigned char last = 255;
int done;
static void *add(void *of) {
  unsigned char sum = 0;
#ifdef WRONG
  for (unsigned char i = 250; i <= last; i++) sum ^= 1;
#else
  for (unsigned i = 250; i <= last; i++) sum ^= 1;
#endif
  return sum ? of : 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, add, 0);
  pthread_join(thread, 0);
  done = 1;
}
