#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#define SIZE 4
typedef struct { _Atomic size_t head, tail; unsigned char slot[SIZE]; } ring;
static ring r;
int lost, delivered;
static bool ring_put(ring *q, unsigned char v)
{
    size_t h = atomic_load_explicit(&q->head, memory_order_relaxed);
    size_t n = (h + 1) & (SIZE - 1);
#ifndef WRONG
    if (n == atomic_load_explicit(&q->tail, memory_order_acquire)) return false;
#endif
    q->slot[h] = v;
    atomic_store_explicit(&q->head, n, memory_order_release);
    return true;
}
static bool ring_get(ring *q, unsigned char *v)
{
    size_t t = atomic_load_explicit(&q->tail, memory_order_relaxed);
    if (t == atomic_load_explicit(&q->head, memory_order_acquire)) return false;
    *v = q->slot[t];
    atomic_store_explicit(&q->tail, (t + 1) & (SIZE - 1), memory_order_release);
    return true;
}
static void *producer(void *a)
{
    unsigned char v = 0;
    while (1) {
        while (!ring_put(&r, v)) ;
        v = (v + 1) % 3;
    }
    return a;
}
static void *consumer(void *a)
{
    unsigned char want = 0, v;
    while (1) {
        if (!ring_get(&r, &v)) continue;
        if (v != want) lost = 1;
        delivered = 1; delivered = 0;
        want = (v + 1) % 3;
    }
    return a;
}
int main(void)
{
    pthread_t p, c;
    pthread_create(&p, NULL, producer, NULL);
    pthread_create(&c, NULL, consumer, NULL);
    pthread_join(p, NULL); pthread_join(c, NULL);
}
