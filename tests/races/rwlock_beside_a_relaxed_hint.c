// none
#include <pthread.h>
#include <stdatomic.h>
int data, copy;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
atomic_int hint;
void *first(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    data = 1;
    pthread_rwlock_unlock(&lock);
    atomic_store_explicit(&hint, 1, memory_order_relaxed);
    return unused;
}
void *second(void *unused)
{
    while (!atomic_load_explicit(&hint, memory_order_relaxed))
        ;
    pthread_rwlock_rdlock(&lock);
    copy = data;
    pthread_rwlock_unlock(&lock);
    return unused;
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
