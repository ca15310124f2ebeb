/* A lost wakeup: the flag is looked at without the lock, so that the signal comes before the wait. The
   other thread goes on, so that this is no deadlock. */
#include <pthread.h>

_Bool ready, done, blinks;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t change = PTHREAD_COND_INITIALIZER;

void *first(void *argument)
{
    if (!ready) {
        pthread_mutex_lock(&lock);
#ifdef REPAIRED
        while (!ready)
#endif
            pthread_cond_wait(&change, &lock);
        pthread_mutex_unlock(&lock);
    }
    done = 1;
    return argument;
}

void *second(void *argument)
{
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&change);
    pthread_mutex_unlock(&lock);
    while (1)
        blinks = !blinks;
    return argument;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
