#include <pthread.h>
#include <semaphore.h>
#define SIZE 2
static sem_t empty, full, mutex;
static char buffer[SIZE];
static unsigned in, out;
int items, consumed;
static void *produce(void *a)
{
    for (;;) {
        sem_wait(&empty);
#ifndef WRONG
        sem_wait(&mutex);
#endif
        buffer[in] = 'a';
        in = (in + 1) % SIZE;
        items++;
#ifndef WRONG
        sem_post(&mutex);
#endif
        sem_post(&full);
    }
    return a;
}
static void *consume(void *a)
{
    for (;;) {
        sem_wait(&full);
        sem_wait(&mutex);
        buffer[out] = 0;
        out = (out + 1) % SIZE;
        items--;
        consumed = 1; consumed = 0;
        sem_post(&mutex);
        sem_post(&empty);
    }
    return a;
}
int main(void)
{
    pthread_t p1, p2, c;
    sem_init(&empty, 0, SIZE); sem_init(&full, 0, 0); sem_init(&mutex, 0, 1);
    pthread_create(&p1, 0, produce, 0);
    pthread_create(&p2, 0, produce, 0);
    pthread_create(&c, 0, consume, 0);
    pthread_join(p1, 0);
    return 0;
}
