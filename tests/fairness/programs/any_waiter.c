/* Two waiters at one condition variable, and who signals wakes any of them. */
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t change = PTHREAD_COND_INITIALIZER;
_Bool served;

void *other(void *argument)
{
    pthread_mutex_lock(&lock);
    while (1)
        pthread_cond_wait(&change, &lock);
    return argument;
}

void *waiter(void *argument)
{
    pthread_mutex_lock(&lock);
    while (1) {
        pthread_cond_wait(&change, &lock);
        served = 1;
        served = 0;
    }
    return argument;
}

void *signals(void *argument)
{
    while (1) {
        pthread_mutex_lock(&lock);
        pthread_cond_signal(&change);
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, 0, other, 0);
    pthread_create(&b, 0, waiter, 0);
    pthread_create(&c, 0, signals, 0);
    pthread_join(a, 0);
    return 0;
}
