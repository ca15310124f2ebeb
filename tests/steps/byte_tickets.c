/* A ticket lock of two bytes in one word, three threads. */
#include <pthread.h>
#include <stdatomic.h>
typedef struct { atomic_uchar next, owner; } ticketlock;
static ticketlock l;
static int inside;
int both, first_asks, first_gets;
static void acquire(ticketlock *t)
{
    unsigned char mine = atomic_fetch_add_explicit(&t->next, 1, memory_order_relaxed);
#ifdef WRONG
    while (atomic_load_explicit(&t->owner, memory_order_acquire) < mine) ;
#else
    while (atomic_load_explicit(&t->owner, memory_order_acquire) != mine) ;
#endif
}
static void release(ticketlock *t)
{
    unsigned char o = atomic_load_explicit(&t->owner, memory_order_relaxed);
    atomic_store_explicit(&t->owner, o + 1, memory_order_release);
}
static void *run(void *arg)
{
    for (;;) {
        if (arg) first_asks = 1;
        acquire(&l);
        if (arg) { first_gets = 1; first_asks = 0; first_gets = 0; }
        inside++;
        if (inside > 1) both = 1;
        inside--;
        release(&l);
    }
    return arg;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, run, &l);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0); pthread_join(b, 0);
}
