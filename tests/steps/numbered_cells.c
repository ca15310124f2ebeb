/* A bounded queue whose cells have numbers, after Dmitry Vyukov. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>
#define N 2
#define MASK (N - 1)
struct cell { atomic_size_t seq; int data; };
static struct cell cells[N];
static atomic_size_t enq, deq;
int bad, got;
static int enqueue(int v) {
    struct cell *c;
    size_t pos = atomic_load_explicit(&enq, memory_order_relaxed);
    for (;;) {
        c = &cells[pos & MASK];
        size_t s = atomic_load_explicit(&c->seq, memory_order_acquire);
        intptr_t dif = (intptr_t)s - (intptr_t)pos;
        if (dif == 0) {
            if (atomic_compare_exchange_weak_explicit(&enq, &pos, pos + 1, memory_order_relaxed, memory_order_relaxed)) break;
        } else if (dif < 0) return 0;
        else pos = atomic_load_explicit(&enq, memory_order_relaxed);
    }
    c->data = v;
    atomic_store_explicit(&c->seq, pos + 1, memory_order_release);
    return 1;
}
static int dequeue(int *v) {
    struct cell *c;
    size_t pos = atomic_load_explicit(&deq, memory_order_relaxed);
    for (;;) {
        c = &cells[pos & MASK];
        size_t s = atomic_load_explicit(&c->seq, memory_order_acquire);
        intptr_t dif = (intptr_t)s - (intptr_t)(pos + 1);
        if (dif == 0) {
            if (atomic_compare_exchange_weak_explicit(&deq, &pos, pos + 1, memory_order_relaxed, memory_order_relaxed)) break;
        } else if (dif < 0) return 0;
        else pos = atomic_load_explicit(&deq, memory_order_relaxed);
    }
    *v = c->data;
#ifdef WRONG
    atomic_store_explicit(&c->seq, pos + MASK, memory_order_release);
#else
    atomic_store_explicit(&c->seq, pos + MASK + 1, memory_order_release);
#endif
    return 1;
}
static void *p(void *a) { int v = 1; for (;;) if (enqueue(v)) v = 3 - v; return a; }
static void *q(void *a) { int w = 1, v; for (;;) if (dequeue(&v)) { if (v != w) bad = 1; w = 3 - w; got = v; } return a; }
int main(void) {
    pthread_t a, b;
    for (size_t i = 0; i < N; i++) atomic_init(&cells[i].seq, i);
    pthread_create(&a, 0, p, 0);
    pthread_create(&b, 0, q, 0);
    pthread_join(a, 0); pthread_join(b, 0);
}
