/* A queue of one place with two producers and a consumer that share one condition variable: a signal may wake the wrong one;
   with -DBROADCAST all are woken. */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int full;
_Bool taken;
#ifdef BROADCAST
#define WAKE pthread_cond_broadcast
#else
#define WAKE pthread_cond_signal
#endif
void *producer(void *a)
{
    while (1) {
        pthread_mutex_lock(&m);
        while (full)
            pthread_cond_wait(&changed, &m);
        full = 1;
        WAKE(&changed);
        pthread_mutex_unlock(&m);
    }
    return a;
}
void *consumer(void *a)
{
    while (1) {
        pthread_mutex_lock(&m);
        while (!full)
            pthread_cond_wait(&changed, &m);
        full = 0;
        taken = 1;
        taken = 0;
        WAKE(&changed);
        pthread_mutex_unlock(&m);
    }
    return a;
}
int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, producer, 0);
    pthread_create(&c, 0, consumer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
