/* Semaphores count the free and the filled places of a buffer.
 * WRONG: there are more free places at the start than the buffer has. */
#include <pthread.h>
#include <semaphore.h>

#define SIZE 1
#define ITEMS 2

int filled;
static int buffer[SIZE];
static sem_t free_places, items;

static void *produce(void *unused)
{
    int i;
    for (i = 0; i < ITEMS; i++) {
        sem_wait(&free_places);
        buffer[i % SIZE] = i;
        filled++;
        sem_post(&items);
    }
    return unused;
}

static void *consume(void *unused)
{
    int i, item;
    for (i = 0; i < ITEMS; i++) {
        sem_wait(&items);
        item = buffer[i % SIZE];
        (void)item;
        __atomic_fetch_sub(&filled, 1, __ATOMIC_SEQ_CST);
        sem_post(&free_places);
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;
#ifdef WRONG
    sem_init(&free_places, 0, SIZE + 1);
#else
    sem_init(&free_places, 0, SIZE);
#endif
    sem_init(&items, 0, 0);
    pthread_create(&a, 0, produce, 0);
    pthread_create(&b, 0, consume, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
