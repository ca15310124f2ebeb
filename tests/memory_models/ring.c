/* A ring between two threads: positions are atomic, what the slots hold is not. */
#include <pthread.h>
#include <stdatomic.h>
#ifdef WRONG
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif
struct message { int kind, value; };
struct ring { atomic_uint head, tail; struct message slots[2]; };
static struct ring ring;
int bad;
static int put(struct ring *r, struct message m) {
  unsigned head = atomic_load_explicit(&r->head, memory_order_relaxed), next = (head + 1) % 2;
  if (next == atomic_load_explicit(&r->tail, memory_order_acquire)) return 0;
  struct message *slot = &r->slots[head];
  *slot = m;
  atomic_store_explicit(&r->head, next, RELEASE);
  return 1;
}
static int get(struct ring *r, struct message *m) {
  unsigned tail = atomic_load_explicit(&r->tail, memory_order_relaxed);
  if (tail == atomic_load_explicit(&r->head, memory_order_acquire)) return 0;
  *m = r->slots[tail];
  atomic_store_explicit(&r->tail, (tail + 1) % 2, memory_order_release);
  return 1;
}
static void *producer(void *p) {
  for (int i = 0;; i = !i) {
    struct message m = {1, i};
    while (!put(&ring, m)) {
    }
  }
  return p;
}
int main(void) {
  pthread_t t;
  struct message m;
  pthread_create(&t, 0, producer, 0);
  for (int i = 0;; i = !i) {
    while (!get(&ring, &m)) {
    }
    if (m.kind != 1 || m.value != i) bad = 1;
  }
}
