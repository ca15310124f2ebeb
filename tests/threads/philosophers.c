/* Dining philosophers. In order, one of them takes the forks the other way round. */
#include <pthread.h>

#ifndef N
#define N 2
#endif
#if N == 2
pthread_mutex_t forks[N] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
#else
pthread_mutex_t forks[N] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
#endif
int hungry, eats;

void *philosopher(void *arg)
{
    long id = (long)arg;
    long left = id, right = (id + 1) % N;
#if defined ORDERED
    if (left > right) {
        long swap = left;
        left = right;
        right = swap;
    }
#endif
    if (id == 0)
        hungry = 1;
    pthread_mutex_lock(&forks[left]);
    pthread_mutex_lock(&forks[right]);
    if (id == 0)
        eats = 1;
    pthread_mutex_unlock(&forks[right]);
    pthread_mutex_unlock(&forks[left]);
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], NULL, philosopher, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
