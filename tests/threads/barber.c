/* The sleeping barber: a customer wakes the barber, if there is a chair, and waits to be called. With SILENT, nobody wakes
   him. */
#include <pthread.h>
#include <semaphore.h>

#define CHAIRS 1

int waiting, shaved, left, done;
sem_t customers, called;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *barber(void *arg)
{
    (void)arg;
    sem_wait(&customers);
    pthread_mutex_lock(&m);
    waiting--;
    sem_post(&called);
    pthread_mutex_unlock(&m);
    return NULL;
}

void *customer(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m);
    if (waiting == CHAIRS) {
        pthread_mutex_unlock(&m);
        left = 1;
        return NULL;
    }
    waiting++;
#if !defined SILENT
    sem_post(&customers);
#endif
    pthread_mutex_unlock(&m);
    sem_wait(&called);
    shaved = 1;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&customers, 0, 0);
    sem_init(&called, 0, 0);
    pthread_create(&a, NULL, barber, NULL);
    pthread_create(&b, NULL, customer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    done = 1;
    return 0;
}
