/* Two locks that two functions take, in one order or in two. */
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int want, have;

static void with_both(pthread_mutex_t *outer, pthread_mutex_t *inner, int *done)
{
    pthread_mutex_lock(outer);
    pthread_mutex_lock(inner);
    if (done)
        have = 1;
    pthread_mutex_unlock(inner);
    pthread_mutex_unlock(outer);
}

void *first(void *arg)
{
    want = 1;
    with_both(&a, &b, arg);
    return NULL;
}

void *second(void *arg)
{
    (void)arg;
#if defined ORDERED
    with_both(&a, &b, NULL);
#else
    with_both(&b, &a, NULL);
#endif
    return NULL;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, NULL, first, &t);
    pthread_create(&u, NULL, second, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
