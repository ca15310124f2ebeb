#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int kicked, alarm_on, quit;
static void *dog(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m);
    while (!quit) {
        struct timespec ts;
        clock_gettime(CLOCK_REALTIME, &ts);
        ts.tv_sec += 2;
        int rc = 0;
        while (!kicked && !quit && rc != ETIMEDOUT)
            rc = pthread_cond_timedwait(&c, &m, &ts);
        if (kicked) { kicked = 0; alarm_on = 0; }
#ifndef WRONG
        else if (!quit) alarm_on = 1;
#else
        else alarm_on = 1;
#endif
    }
#ifndef WRONG
    alarm_on = 0;
#endif
    pthread_mutex_unlock(&m);
    return NULL;
}
int main(void)
{
    pthread_t t;
    char line[32];
    if (pthread_create(&t, NULL, dog, NULL) != 0) { perror("thread"); return 1; }
    while (fgets(line, sizeof line, stdin)) {
        if (line[0] == 'q') break;
        pthread_mutex_lock(&m);
        kicked = 1;
        pthread_cond_signal(&c);
        pthread_mutex_unlock(&m);
    }
    pthread_mutex_lock(&m);
    quit = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
