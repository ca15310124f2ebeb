// none
#include <stdatomic.h>
#include <pthread.h>
#include <stdlib.h>

struct config { int a, b; };

static _Atomic(struct config *) instance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int created, bad;

static struct config *get(void) {
  struct config *c = atomic_load_explicit(&instance, memory_order_acquire);
  if (c == NULL) {
    pthread_mutex_lock(&lock);
    c = atomic_load_explicit(&instance, memory_order_relaxed);
    if (c == NULL) {
      c = malloc(sizeof *c);
      if (c == NULL)
        abort();
      c->a = 1;
      c->b = 2;
      created++;
      atomic_store_explicit(&instance, c, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
  }
  return c;
}

static void *user(void *arg) {
  (void)arg;
  struct config *c = get();
  if (c->a != 1 || c->b != 2)
    bad = 1;
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, user, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  free(atomic_load(&instance));
  return 0;
}
