#include <pthread.h>
#include <stdio.h>
int g, seen;
void *other(void *arg) { (void)arg; if (g == 1) seen = 1; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  scanf("%d", &g);
  pthread_join(t, 0);
  return 0;
}
