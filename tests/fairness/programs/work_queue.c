/* A queue of work with a flag for the end: main sets it, if it ever gets the mutex. With -DSILENT it wakes nobody then, and the
   worker may sleep for good. */
#include <pthread.h>
#include <stdbool.h>
int queued;
bool shutdown_asked, worker_over;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *worker(void *argument)
{
    pthread_mutex_lock(&m);
    while (1) {
        while (queued == 0 && !shutdown_asked)
            pthread_cond_wait(&c, &m);
        if (shutdown_asked) break;
        queued--;
    }
    pthread_mutex_unlock(&m);
    worker_over = true;
    return argument;
}
void *producer(void *argument)
{
    while (1) {
        pthread_mutex_lock(&m);
        if (shutdown_asked) { pthread_mutex_unlock(&m); break; }
        if (queued < 1) { queued++; pthread_cond_signal(&c); }
        pthread_mutex_unlock(&m);
    }
    return argument;
}
int main(void)
{
    pthread_t w, p;
    pthread_create(&w, 0, worker, 0);
    pthread_create(&p, 0, producer, 0);
    pthread_mutex_lock(&m);
    shutdown_asked = true;
#ifndef SILENT
    pthread_cond_broadcast(&c);
#endif
    pthread_mutex_unlock(&m);
    pthread_join(p, 0);
    pthread_join(w, 0);
    return 0;
}
