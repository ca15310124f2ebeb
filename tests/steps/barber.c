/* The sleeping barber with two chairs and three customers. */
#include <pthread.h>
#include <semaphore.h>
#define CHAIRS 2
static sem_t customers, barber;
static pthread_mutex_t seats = PTHREAD_MUTEX_INITIALIZER;
static int waiting;
int cutting, occupied;
static void *barber_main(void *a)
{
    for (;;) {
        sem_wait(&customers);
        pthread_mutex_lock(&seats);
        waiting--; occupied = waiting;
        sem_post(&barber);
        pthread_mutex_unlock(&seats);
        cutting = 1; cutting = 0;
    }
    return a;
}
static void *customer(void *a)
{
    for (;;) {
        pthread_mutex_lock(&seats);
#ifdef WRONG
        if (waiting <= CHAIRS) {
#else
        if (waiting < CHAIRS) {
#endif
            waiting++; occupied = waiting;
            sem_post(&customers);
            pthread_mutex_unlock(&seats);
            sem_wait(&barber);
        } else
            pthread_mutex_unlock(&seats);
    }
    return a;
}
int main(void)
{
    pthread_t b, c[3];
    sem_init(&customers, 0, 0);
    sem_init(&barber, 0, 0);
    pthread_create(&b, 0, barber_main, 0);
    for (int i = 0; i < 3; i++) pthread_create(&c[i], 0, customer, 0);
    pthread_join(b, 0);
    return 0;
}
