/* A semaphore as a lock, as a signal, and one that nobody raises. */
#include <semaphore.h>
#include <pthread.h>

#ifndef START
#define START 1
#endif
sem_t s;
int inside1, inside2, want, have, value;

void *first(void *arg)
{
    (void)arg;
    want = 1;
#if defined TRY
    while (sem_trywait(&s) != 0)
        ;
#else
    sem_wait(&s);
#endif
    inside1 = 1;
    have = 1;
    inside1 = 0;
#if !defined DEADLOCK
    sem_post(&s);
#endif
    return NULL;
}

void *second(void *arg)
{
    (void)arg;
    sem_wait(&s);
    inside2 = 1;
    inside2 = 0;
    sem_post(&s);
    sem_getvalue(&s, &value);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&s, 0, START);
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    sem_destroy(&s);
    return 0;
}
