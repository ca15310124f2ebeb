#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t free_places, full_places;
atomic_int items;
int gets;

static void *producer(void *argument)
{
    while (1) {
        sem_wait(&free_places);
        items++;
        sem_post(&full_places);
    }
    return argument;
}

static void *consumer(void *argument)
{
    while (1) {
        sem_wait(&full_places);
        items--;
        gets = 1;
        gets = 0;
        sem_post(&free_places);
    }
    return argument;
}

int main(void)
{
    pthread_t a, b;
#ifdef WRONG
    sem_init(&free_places, 0, 2);
#else
    sem_init(&free_places, 0, 1);
#endif
    sem_init(&full_places, 0, 0);
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
