// race: a[
#include <pthread.h>
#include <stdlib.h>
int a[300];
void *set(void *p) { unsigned char n = (unsigned char)(long)p; a[n] = 1; return 0; }
int main(void) { pthread_t t[2];
  for (int i = 0; i < 512; i++) { if (i == 0 || i == 256) pthread_create(&t[i / 256], 0, set, (void *)(long)i); }
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return a[0]; }
