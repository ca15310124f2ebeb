/* Nobody may see what memcpy wrote before its event. */
#include <pthread.h>
#include <string.h>

struct pair { int a, b; } to, from = {1, 2};
int seen;

void *other(void *arg) {
  (void)arg;
  if (to.a == 1) seen = 1;
  from.a = 5;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  memcpy(&to, &from, sizeof to);
  pthread_join(t, 0);
  return 0;
}
