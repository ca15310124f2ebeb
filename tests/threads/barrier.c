/* Two threads go through phases together; with SERIAL, one of them is chosen to count. */
#include <pthread.h>

#ifndef PHASES
#define PHASES 2
#endif
#ifndef NEEDED
#define NEEDED 2
#endif
pthread_barrier_t together;
int phase1, phase2, serials;

void *first(void *arg)
{
    (void)arg;
    for (int i = 0; i < PHASES; i++) {
        phase1 = i + 1;
#if defined SERIAL
        if (pthread_barrier_wait(&together) == PTHREAD_BARRIER_SERIAL_THREAD)
            serials++;
#elif !defined WRONG
        pthread_barrier_wait(&together);
#endif
    }
    return NULL;
}

void *second(void *arg)
{
    (void)arg;
    for (int i = 0; i < PHASES; i++) {
        phase2 = i + 1;
#if defined SERIAL
        if (pthread_barrier_wait(&together) == PTHREAD_BARRIER_SERIAL_THREAD)
            serials++;
#elif !defined WRONG
        pthread_barrier_wait(&together);
#endif
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_barrier_init(&together, NULL, NEEDED);
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
