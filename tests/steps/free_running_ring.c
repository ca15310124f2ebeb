/* A ring whose positions run freely: one producer, one consumer. */
#include <stdatomic.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#define SIZE 4
#define MASK (SIZE - 1)
struct ring { _Atomic uint32_t head, tail; int slot[SIZE]; };
static struct ring r;
int bad, received;
static void ring_init(struct ring *q) { atomic_init(&q->head, 0); atomic_init(&q->tail, 0); }
static bool push(struct ring *q, int v) {
    uint32_t h = atomic_load_explicit(&q->head, memory_order_relaxed);
    uint32_t t = atomic_load_explicit(&q->tail, memory_order_acquire);
#ifdef WRONG
    if (h - t > SIZE) return false;
#else
    if (h - t == SIZE) return false;
#endif
    q->slot[h & MASK] = v;
    atomic_store_explicit(&q->head, h + 1, memory_order_release);
    return true;
}
static bool pop(struct ring *q, int *v) {
    uint32_t t = atomic_load_explicit(&q->tail, memory_order_relaxed);
    uint32_t h = atomic_load_explicit(&q->head, memory_order_acquire);
    if (h == t) return false;
    *v = q->slot[t & MASK];
    atomic_store_explicit(&q->tail, t + 1, memory_order_release);
    return true;
}
static void *prod(void *a) { int v = 0; for (;;) if (push(&r, v)) v = (v + 1) % 3; return a; }
static void *cons(void *a) {
    int want = 0;
    for (;;) {
        int v;
        if (pop(&r, &v)) { if (v != want) bad = 1; received = v; want = (want + 1) % 3; }
    }
    return a;
}
int main(void) {
    pthread_t a, b;
    ring_init(&r);
    pthread_create(&a, 0, prod, 0);
    pthread_create(&b, 0, cons, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
