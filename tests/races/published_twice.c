// none
#include <stdatomic.h>
#include <pthread.h>
#include <stdlib.h>
struct conf { int a, b; };
static _Atomic(struct conf *) current;
int torn, done, seen;
static void *reader(void *u) {
  struct conf *c = atomic_load_explicit(&current, memory_order_acquire);
  if (c) { seen = 1; if (c->a != c->b) torn = 1; }
  return 0;
}
static void publish(int v) {
  struct conf *c = malloc(sizeof *c); if (!c) abort();
  c->a = v; c->b = v;
  atomic_store_explicit(&current, c, memory_order_release);
}
int main(void) {
  pthread_t t; pthread_create(&t, 0, reader, 0);
  publish(1); publish(2);
  pthread_join(t, 0); done = 1;
}
