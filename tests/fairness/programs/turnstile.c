/* Readers and a writer share a page. Readers come in as long as one of them reads (Courtois, Heymans, Parnas 1971,
   problem 1), so the writer may wait for ever. With -DTURNSTILE all of them queue at one gate, and a reader that comes
   after the writer waits behind it. */
#include <pthread.h>
#include <semaphore.h>

int waiting, writing;
int readers;
pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;
sem_t page;
#ifdef TURNSTILE
sem_t gate;
#endif

static void come(void)
{
#ifdef TURNSTILE
    sem_wait(&gate);
    sem_post(&gate);
#endif
    pthread_mutex_lock(&counting);
    readers++;
    if (readers == 1)
        sem_wait(&page);
    pthread_mutex_unlock(&counting);
}

static void go(void)
{
    pthread_mutex_lock(&counting);
    readers--;
    if (readers == 0)
        sem_post(&page);
    pthread_mutex_unlock(&counting);
}

void *reader(void *unused)
{
    while (1) {
        come();
        go();
    }
    return unused;
}

void *writer(void *unused)
{
    while (1) {
        waiting = 1;
#ifdef TURNSTILE
        sem_wait(&gate);
#endif
        sem_wait(&page);
        waiting = 0;
        writing = 1;
        writing = 0;
        sem_post(&page);
#ifdef TURNSTILE
        sem_post(&gate);
#endif
    }
    return unused;
}

int main(void)
{
    pthread_t first, second, third;

    sem_init(&page, 0, 1);
#ifdef TURNSTILE
    sem_init(&gate, 0, 1);
#endif
    pthread_create(&first, 0, reader, 0);
    pthread_create(&second, 0, reader, 0);
    pthread_create(&third, 0, writer, 0);
    pthread_join(first, 0);
    return 0;
}
