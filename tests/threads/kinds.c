/* Kinds of mutexes: a second lock by the same thread. */
#define _GNU_SOURCE
#include <pthread.h>

#if defined STATIC_RECURSIVE
pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
#elif defined STATIC_CHECKING
pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
#else
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#endif
int have, error, other;

void *routine(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m);
    other = 1;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
#if defined RECURSIVE
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &kind);
#elif defined CHECKING
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&m, &kind);
#endif
    pthread_create(&t, NULL, routine, NULL);
    pthread_mutex_lock(&m);
    if (pthread_mutex_lock(&m) != 0)
        error = 1;
    else
        pthread_mutex_unlock(&m);
    have = 1;
    pthread_mutex_unlock(&m);
    if (error && pthread_mutex_unlock(&m) == 0)
        error = 2;
    pthread_join(t, NULL);
    return 0;
}
