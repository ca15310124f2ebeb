/* Readers and writers with semaphores (Courtois, Heymans and Parnas 1971, problem 1): the first reader takes the resource for all
   readers, the last one gives it back. */
#include <pthread.h>
#include <semaphore.h>

sem_t mutex, resource;
int readers, reads1, reads2, writes, want, have;

static void enter(void)
{
#if defined RACE
    readers++;
    if (readers == 1)
        sem_wait(&resource);
#else
    sem_wait(&mutex);
    readers++;
    if (readers == 1)
        sem_wait(&resource);
    sem_post(&mutex);
#endif
}

static void leave(void)
{
#if !defined RACE
    sem_wait(&mutex);
#endif
    readers--;
#if !defined KEPT
    if (readers == 0)
        sem_post(&resource);
#endif
#if !defined RACE
    sem_post(&mutex);
#endif
}

void *first(void *arg)
{
    (void)arg;
    enter();
    reads1 = 1;
    reads1 = 0;
    leave();
    return NULL;
}

void *second(void *arg)
{
    (void)arg;
    enter();
    reads2 = 1;
    reads2 = 0;
    leave();
    return NULL;
}

void *writer(void *arg)
{
    (void)arg;
    want = 1;
    sem_wait(&resource);
    have = 1;
    writes = 1;
    writes = 0;
    sem_post(&resource);
    return NULL;
}

int main(void)
{
    pthread_t a, b, c;
    sem_init(&mutex, 0, 1);
    sem_init(&resource, 0, 1);
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_create(&c, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
