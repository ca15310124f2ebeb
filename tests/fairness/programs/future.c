/* A client asks an actor through a mailbox and waits for the future; with -DBREAKS the actor drops each other request. */
#include <pthread.h>
#include <semaphore.h>
static sem_t requests;
static volatile int ready;
_Bool asks, has;
static int drops;
void *client(void *a)
{
    while (1) {
        ready = 0;
        asks = 1;
        sem_post(&requests);
        while (!ready)
            ;
        has = 1;
        asks = 0;
        has = 0;
    }
    return a;
}
void *actor(void *a)
{
    while (1) {
        sem_wait(&requests);
#ifdef BREAKS
        drops = !drops;
        if (drops)
            continue;
#endif
        ready = 1;
    }
    return a;
}
int main(void)
{
    pthread_t a, b;
    sem_init(&requests, 0, 0);
    pthread_create(&a, 0, client, 0);
    pthread_create(&b, 0, actor, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
