/* Polls with a time: the answer never comes, and the time of the wait is over again and again. */
#include <pthread.h>
#include <time.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
_Bool answered, late;

void *poller(void *own)
{
    struct timespec until = { 1, 0 };
    pthread_mutex_lock(&lock);
    while (!answered) {
        if (pthread_cond_timedwait(&changed, &lock, &until) != 0) {
            late = 1;
            late = 0;
        }
    }
    pthread_mutex_unlock(&lock);
    return own;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, 0, poller, 0);
    pthread_join(one, 0);
    return 0;
}
