/* Two threads and a lock: in order, without the lock, with a lock that is never given back, and giving way for ever. */
#include <pthread.h>
#include <sched.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int want, have, inside;

void *first(void *arg)
{
    (void)arg;
    want = 1;
#if defined LIVELOCK
    while (pthread_mutex_trylock(&m) != 0) {
        want = 0;
        want = 1;
    }
#elif defined TRY
    while (pthread_mutex_trylock(&m) != 0)
        sched_yield();
#elif defined TIMED
    struct timespec limit = { 0, 0 };
    while (pthread_mutex_timedlock(&m, &limit) != 0)
        ;
#elif !defined WRONG
    pthread_mutex_lock(&m);
#endif
    inside++;
    have = 1;
    inside--;
#if !defined WRONG
    pthread_mutex_unlock(&m);
#endif
    return NULL;
}

void *second(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m);
    inside++;
    inside--;
#if !defined DEADLOCK && !defined LIVELOCK
    pthread_mutex_unlock(&m);
#endif
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
