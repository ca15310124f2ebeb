// race: data
#include <pthread.h>
#include <stdatomic.h>
int data, copy;
atomic_int state;
void *first(void *unused)
{
    data = 1;
    atomic_store_explicit(&state, 1, memory_order_release);
    return unused;
}
void *second(void *unused)
{
    if (atomic_load_explicit(&state, memory_order_relaxed) == 1)
        atomic_store_explicit(&state, 2, memory_order_relaxed);
    return unused;
}
void *third(void *unused)
{
    if (atomic_load_explicit(&state, memory_order_acquire) == 2)
        copy = data;
    return unused;
}
int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_create(&c, 0, third, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
