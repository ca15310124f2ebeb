/* Treiber's stack of the free nodes of a pool: each thread takes a node, uses it, gives it back. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#define NODES 3
#define NONE 0xff
struct top { uint8_t index, count; };
static _Atomic struct top top;
static _Atomic uint8_t next[NODES];
static atomic_uchar owners[NODES];
int clash, works;
static int pop(void)
{
    struct top old = atomic_load(&top), new;
    do {
        if (old.index == NONE) return -1;
        new.index = next[old.index];
#ifdef WRONG
        new.count = 0;
#else
        new.count = (old.count + 1) % 4;
#endif
    } while (!atomic_compare_exchange_weak(&top, &old, new));
    return old.index;
}
static void push(int node)
{
    struct top old = atomic_load(&top), new;
    do {
        next[node] = old.index;
        new.index = (uint8_t)node;
        new.count = old.count;
    } while (!atomic_compare_exchange_weak(&top, &old, new));
}
static int take(void)
{
    int n;
    while ((n = pop()) < 0) ;
    if (atomic_fetch_add(&owners[n], 1) != 0) clash = 1;
    return n;
}
static void give(int n)
{
    atomic_fetch_sub(&owners[n], 1);
    push(n);
}
static void *worker(void *arg)
{
    for (;;) {
        int a = take(), b = take();
        works = 1; works = 0;
        give(a);
        give(b);
    }
    return arg;
}
int main(void)
{
    pthread_t t[2];
    struct top first = { 0, 0 };
    for (int i = 0; i < NODES - 1; i++) next[i] = i + 1;
    next[NODES - 1] = NONE;
    atomic_store(&top, first);
    for (int i = 0; i < 2; i++) pthread_create(t + i, NULL, worker, NULL);
    for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
}
