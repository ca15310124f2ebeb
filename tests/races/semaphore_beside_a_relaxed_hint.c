// none
#include <pthread.h>
#include <stdatomic.h>
#include <semaphore.h>
sem_t given;
int data, copy;
atomic_int hint;
void *first(void *unused)
{
    data = 1;
    atomic_store_explicit(&hint, 1, memory_order_relaxed);
    sem_post(&given);
    return unused;
}
void *second(void *unused)
{
    sem_wait(&given);
    copy = data + atomic_load_explicit(&hint, memory_order_relaxed);
    return unused;
}
int main(void)
{
    pthread_t a, b;
    sem_init(&given, 0, 0);
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
