// none
#include <pthread.h>
#include <stdatomic.h>
pthread_barrier_t met;
int data, copy;
atomic_int hint;
void *first(void *unused)
{
    data = 1;
    atomic_store_explicit(&hint, 1, memory_order_relaxed);
    pthread_barrier_wait(&met);
    return unused;
}
void *second(void *unused)
{
    pthread_barrier_wait(&met);
    copy = data + atomic_load_explicit(&hint, memory_order_relaxed);
    return unused;
}
int main(void)
{
    pthread_t a, b;
    pthread_barrier_init(&met, 0, 2);
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
