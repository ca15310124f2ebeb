/* A mutex, which is granted in no order. */
#include <pthread.h>

_Bool asks, in;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *first(void *argument)
{
    while (1) {
        asks = 1;
        pthread_mutex_lock(&lock);
        in = 1;
        asks = 0;
        in = 0;
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

void *second(void *argument)
{
    while (1) {
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
    }
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
