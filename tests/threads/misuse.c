/* Locks used wrongly. Each is told with its place; the verdict stays what the run gives. */
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int done;

void *routine(void *arg)
{
    (void)arg;
#if defined FOREIGN
    pthread_mutex_unlock(&m);
#elif defined DOUBLE
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&m);
#elif defined RELOCK
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
#elif defined SIGNALLED
    pthread_cond_signal(&c);
#endif
    return NULL;
}

int main(void)
{
    pthread_t t;
#if defined FOREIGN
    pthread_mutex_lock(&m);
#endif
    pthread_create(&t, NULL, routine, NULL);
#if defined UNLOCKED_WAIT
    struct timespec limit = { 0, 0 };
    pthread_cond_timedwait(&c, &m, &limit);
    pthread_mutex_unlock(&m);
#elif defined DESTROYED
    pthread_mutex_lock(&m);
    pthread_mutex_destroy(&m);
    pthread_mutex_unlock(&m);
#endif
    pthread_join(t, NULL);
    done = 1;
    return 0;
}
