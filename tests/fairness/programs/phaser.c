/* Two threads meet at each phase through counters of two values; with -DLATE one looks at the phase after it has arrived. */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int arrived, phase;
_Bool steps;
static void meet(void)
{
#ifndef LATE
    int now = atomic_load(&phase);
#endif
    int all = atomic_fetch_add(&arrived, 1) + 1;
#ifdef LATE
    int now = atomic_load(&phase);
#endif
    if (all == 2) {
        atomic_store(&arrived, 0);
        atomic_store(&phase, !now);
    } else
        while (atomic_load(&phase) == now)
            ;
}
void *first(void *a)
{
    while (1) {
        meet();
        steps = 1;
        steps = 0;
    }
    return a;
}
void *second(void *a)
{
    while (1)
        meet();
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
