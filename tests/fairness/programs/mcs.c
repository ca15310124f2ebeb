/* A queue lock of Mellor-Crummey and Scott with nodes in an array; with -DDROPS the owner forgets to hand the lock on. */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int tail, next[3], locked[3];
_Bool asks, in;
static void lock(int me)
{
    atomic_store(&next[me], 0);
    atomic_store(&locked[me], 1);
    int before = atomic_exchange(&tail, me);
    if (before) {
        atomic_store(&next[before], me);
        while (atomic_load(&locked[me]))
            ;
    }
}
static void unlock(int me)
{
    if (!atomic_load(&next[me])) {
        int expected = me;
        if (atomic_compare_exchange_strong(&tail, &expected, 0))
            return;
        while (!atomic_load(&next[me]))
            ;
    }
#ifndef DROPS
    atomic_store(&locked[atomic_load(&next[me])], 0);
#endif
}
void *first(void *a)
{
    while (1) {
        asks = 1;
        lock(1);
        in = 1;
        asks = 0;
        in = 0;
        unlock(1);
    }
    return a;
}
void *second(void *a)
{
    while (1) {
        lock(2);
        unlock(2);
    }
    return a;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
