/* A consumer waits for an item: rightly in a loop, or once, or after a signal that may come too early. */
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int item, want, have;

void *producer(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m);
    item = 1;
#if defined BROADCAST
    pthread_cond_broadcast(&c);
#elif !defined SILENT
    pthread_cond_signal(&c);
#endif
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, producer, NULL);
    pthread_mutex_lock(&m);
    want = 1;
#if defined LOST
    pthread_cond_wait(&c, &m);
#elif defined ONCE
    if (!item)
        pthread_cond_wait(&c, &m);
#elif defined TIMED
    struct timespec limit = { 0, 0 };
    if (!item)
        pthread_cond_timedwait(&c, &m, &limit);
#else
    while (!item)
        pthread_cond_wait(&c, &m);
#endif
    if (item)
        have = 1;
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
