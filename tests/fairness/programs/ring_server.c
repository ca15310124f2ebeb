/* A main thread asks through a ring buffer with two semaphores and a mutex, two workers answer. One request stays with a worker for ever if the worker does not run. */
#include <pthread.h>
#include <semaphore.h>
enum { SIZE = 2 };
int ring[SIZE];
unsigned in, out;
sem_t items, places;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
_Bool asked, answered;
static void put(int value)
{
    sem_wait(&places);
    pthread_mutex_lock(&m);
    ring[in] = value;
    in = (in + 1) % SIZE;
    if (value) asked = 1;
    pthread_mutex_unlock(&m);
    sem_post(&items);
}
void *worker(void *argument)
{
    while (1) {
        sem_wait(&items);
        pthread_mutex_lock(&m);
        int value = ring[out];
        out = (out + 1) % SIZE;
        pthread_mutex_unlock(&m);
        sem_post(&places);
        if (value) {
            answered = 1;
            asked = 0;
            answered = 0;
        }
    }
    return argument;
}
int main(void)
{
    pthread_t a, b;
    sem_init(&items, 0, 0);
    sem_init(&places, 0, SIZE);
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    put(1);
    while (1)
        put(0);
}
