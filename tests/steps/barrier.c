#include <pthread.h>

static pthread_barrier_t barrier;
int phase0, phase1;

static void *first(void *argument)
{
    while (1) {
        phase0 = !phase0;
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
    }
    return argument;
}

static void *second(void *argument)
{
    while (1) {
        phase1 = !phase1;
        pthread_barrier_wait(&barrier);
#ifndef WRONG
        pthread_barrier_wait(&barrier);
#endif
    }
    return argument;
}

int main(void)
{
    pthread_t a, b;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
