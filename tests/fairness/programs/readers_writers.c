/* Readers and a writer, readers first (Courtois, Heymans, Parnas 1971): as long as some reader reads, the
   writer waits. */
#include <pthread.h>
#include <semaphore.h>

_Bool asks, writes;
int readers;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
sem_t room;

static void enter(void)
{
    pthread_mutex_lock(&lock);
    readers++;
    if (readers == 1)
        sem_wait(&room);
    pthread_mutex_unlock(&lock);
}

static void leave(void)
{
    pthread_mutex_lock(&lock);
    readers--;
    if (readers == 0)
        sem_post(&room);
    pthread_mutex_unlock(&lock);
}

void *reader(void *argument)
{
    while (1) {
        enter();
        leave();
    }
    return argument;
}

void *writer(void *argument)
{
    while (1) {
        asks = 1;
        sem_wait(&room);
        writes = 1;
        asks = 0;
        writes = 0;
        sem_post(&room);
    }
    return argument;
}

int main(void)
{
    pthread_t a, b, c;
    sem_init(&room, 0, 1);
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_create(&c, 0, writer, 0);
    pthread_join(a, 0);
    return 0;
}
