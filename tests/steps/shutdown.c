/* A thread pool with a shutdown. */
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t work = PTHREAD_COND_INITIALIZER;
int jobs, stop, done, over;
static void *worker(void *u)
{
    pthread_mutex_lock(&m);
    for (;;) {
        while (jobs == 0 && !stop)
            pthread_cond_wait(&work, &m);
        if (jobs == 0) break;
        jobs--;
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m);
        done++;
    }
    pthread_mutex_unlock(&m);
    return u;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&m);
        jobs++;
        pthread_cond_signal(&work);
        pthread_mutex_unlock(&m);
    }
    pthread_mutex_lock(&m);
    stop = 1;
#ifdef WRONG
    pthread_cond_signal(&work);
#else
    pthread_cond_broadcast(&work);
#endif
    pthread_mutex_unlock(&m);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    over = 1;
    return 0;
}
