#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static int jobs, stops;
int done, ended;

static void *worker(void *argument)
{
    while (1) {
        pthread_mutex_lock(&lock);
        while (!jobs && !stops)
            pthread_cond_wait(&change, &lock);
        if (!jobs) {
            pthread_mutex_unlock(&lock);
            break;
        }
        jobs--;
        done++;
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        jobs++;
        pthread_cond_signal(&change);
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&lock);
    stops = 1;
#ifdef WRONG
    pthread_cond_signal(&change);
#else
    pthread_cond_broadcast(&change);
#endif
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    ended = 1;
    return 0;
}
