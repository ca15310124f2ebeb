/* Waits without testing its condition again: a wakeup for nothing lets it in, but nobody owes it one. */
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
_Bool early, tick;

void *waiter(void *own)
{
    while (1) {
        pthread_mutex_lock(&lock);
        pthread_cond_wait(&changed, &lock);
        early = 1;
        early = 0;
        pthread_mutex_unlock(&lock);
    }
    return own;
}

void *ticker(void *own)
{
    while (1)
        tick = !tick;
    return own;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, waiter, 0);
    pthread_create(&two, 0, ticker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
