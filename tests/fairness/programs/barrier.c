/* A barrier that two threads use again and again, twice in each round. */
#include <pthread.h>

_Bool worked;
pthread_barrier_t barrier;

void *first(void *argument)
{
    while (1) {
        pthread_barrier_wait(&barrier);
        worked = 1;
        pthread_barrier_wait(&barrier);
        worked = 0;
    }
    return argument;
}

void *second(void *argument)
{
    while (1) {
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
    }
    return argument;
}

int main(void)
{
    pthread_t a, b;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
