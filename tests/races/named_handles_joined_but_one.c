// race: total
#include <pthread.h>
#include <stdlib.h>
int total; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *add(void *p) { pthread_mutex_lock(&m); total++; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t[3];
  pthread_create(&t[0], 0, add, 0); pthread_create(&t[1], 0, add, 0); pthread_create(&t[2], 0, add, 0);
  for (int i = 0; i < 2; i++) { pthread_join(t[i], 0); }
  return total; }
