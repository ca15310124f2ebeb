/* A watchdog that barks when its client is silent for a time. */
#include <errno.h>
#include <pthread.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t fed = PTHREAD_COND_INITIALIZER;
static int food;
int barks, works, checks;
static void *dog(void *a)
{
    for (;;) {
        struct timespec ts;
        clock_gettime(CLOCK_REALTIME, &ts);
        ts.tv_sec += 2;
        pthread_mutex_lock(&m);
        int rc = 0;
        while (!food && rc == 0) rc = pthread_cond_timedwait(&fed, &m, &ts);
        if (!food) { barks = 1; barks = 0; }
#ifndef WRONG
        food = 0;
#endif
        pthread_mutex_unlock(&m);
        checks = 1; checks = 0;
    }
    return a;
}
static void *client(void *a)
{
    for (;;) {
        works = 1; works = 0;
        pthread_mutex_lock(&m);
        food = 1;
        pthread_cond_signal(&fed);
        pthread_mutex_unlock(&m);
    }
    return a;
}
int main(void)
{
    pthread_t d, c;
    pthread_create(&d, 0, dog, 0);
    pthread_create(&c, 0, client, 0);
    pthread_join(d, 0);
    pthread_join(c, 0);
    return 0;
}
