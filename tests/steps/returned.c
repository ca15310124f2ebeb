/* Threads give back what they have computed. */
#include <pthread.h>
#include <stdlib.h>
struct result {
  int value;
};
static void *twice(void *of) {
  struct result *r = malloc(sizeof *r);
  r->value = *(int *)of * 2;
#ifdef WRONG
  r->value = *(int *)of + 2;
#endif
  return r;
}
int total, done;
int main(void) {
  pthread_t threads[2];
  int in[2] = {1, 2};
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, twice, &in[i]);
  for (int i = 0; i < 2; i++) {
    void *given;
    pthread_join(threads[i], &given);
    struct result *r = given;
    total += r->value;
    free(r);
  }
  done = 1;
}
