// none
#include <pthread.h>
#include <stdlib.h>
int total; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *add(void *p) { pthread_mutex_lock(&m); total++; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, add, 0);
  for (int i = 0; i < 3; i++) { do { int r = pthread_join(t[i], 0); if (r != 0) exit(1); } while (0); }
  return total; }
