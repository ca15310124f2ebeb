#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#define N 3
static sem_t fork_[N], room;
int eating[N], hungry[N];
static void *philosopher(void *arg)
{
    intptr_t i = (intptr_t)arg;
    for (;;) {
        hungry[i] = 1;
#ifndef WRONG
        sem_wait(&room);
#endif
        sem_wait(&fork_[i]);
        sem_wait(&fork_[(i + 1) % N]);
        hungry[i] = 0; eating[i] = 1;
        eating[i] = 0;
        sem_post(&fork_[(i + 1) % N]);
        sem_post(&fork_[i]);
#ifndef WRONG
        sem_post(&room);
#endif
    }
    return 0;
}
int main(void)
{
    pthread_t t[N];
    sem_init(&room, 0, N - 1);
    for (int i = 0; i < N; i++) sem_init(&fork_[i], 0, 1);
    for (intptr_t i = 0; i < N; i++) pthread_create(&t[i], 0, philosopher, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(t[i], 0);
    return 0;
}
