/* Who tries a lock and does something else when it is taken may try at the wrong time for ever: it runs,
   so that no fairness between threads helps. */
#include <pthread.h>

_Bool asks, in;
int tries;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *first(void *argument)
{
    while (1) {
        asks = 1;
        if (pthread_mutex_trylock(&lock) == 0) {
            in = 1;
            asks = 0;
            in = 0;
            pthread_mutex_unlock(&lock);
        } else
            tries++;
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
