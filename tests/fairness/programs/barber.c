/* The sleeping barber (Dijkstra 1965) with one chair to wait: who finds it taken goes away and comes again. */
#include <pthread.h>
#include <semaphore.h>
sem_t customers, barbers;
pthread_mutex_t seats = PTHREAD_MUTEX_INITIALIZER;
int waiting;
_Bool wants, is_cut;
void *barber(void *argument)
{
    while (1) {
        sem_wait(&customers);
        pthread_mutex_lock(&seats);
        waiting--;
        sem_post(&barbers);
        pthread_mutex_unlock(&seats);
    }
    return argument;
}
static int comes(void)
{
    pthread_mutex_lock(&seats);
    if (waiting == 1) {
        pthread_mutex_unlock(&seats);
        return 0;
    }
    waiting++;
    sem_post(&customers);
    pthread_mutex_unlock(&seats);
    sem_wait(&barbers);
    return 1;
}
void *first(void *argument)
{
    while (1) {
        wants = 1;
        if (comes()) {
            is_cut = 1;
            wants = 0;
            is_cut = 0;
        }
    }
    return argument;
}
void *second(void *argument)
{
    while (1)
        comes();
    return argument;
}
int main(void)
{
    pthread_t a, b, c;
    sem_init(&customers, 0, 0);
    sem_init(&barbers, 0, 0);
    pthread_create(&a, 0, barber, 0);
    pthread_create(&b, 0, first, 0);
#ifndef ALONE
    pthread_create(&c, 0, second, 0);
    pthread_join(c, 0);
#endif
    pthread_join(a, 0);
    return 0;
}
