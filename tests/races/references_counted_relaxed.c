// race
#include <stdatomic.h>
#include <stdlib.h>
#include <pthread.h>

struct object {
  atomic_int refs;
  int value;
};

int frees, seen, bad;

static struct object *object_new(int v) {
  struct object *o = malloc(sizeof *o);
  if (!o) exit(1);
  atomic_init(&o->refs, 1);
  o->value = v;
  return o;
}

static struct object *object_get(struct object *o) {
  atomic_fetch_add_explicit(&o->refs, 1, memory_order_relaxed);
  return o;
}

static void object_put(struct object *o) {
  if (atomic_fetch_sub_explicit(&o->refs, 1, memory_order_relaxed) == 1) {
    atomic_thread_fence(memory_order_relaxed);
    frees++;
    free(o);
  }
}

static void *reader(void *arg) {
  struct object *o = arg;
  if (o->value != 7)
    bad = 1;
  object_put(o);
  return NULL;
}

int main(void) {
  struct object *o = object_new(7);
  pthread_t a, b;
  pthread_create(&a, NULL, reader, object_get(o));
  pthread_create(&b, NULL, reader, object_get(o));
  object_put(o);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  seen = 1;
  return 0;
}
