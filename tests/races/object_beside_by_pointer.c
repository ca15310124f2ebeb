// none
#include <pthread.h>
#include <semaphore.h>
struct request { int in, out; };
static struct request one[2], *current = one;
static sem_t chosen;
static int seen, which;
static void *reader(void *u)
{
    sem_wait(&chosen);
    seen = current->in;
    return u;
}
static void *writer(void *u)
{
    one[which].in = 3;
    return u;
}
int main(void)
{
    pthread_t t, w;
    sem_init(&chosen, 0, 0);
    pthread_create(&t, 0, reader, 0);
    pthread_create(&w, 0, writer, 0);
    current = one + 1;
    sem_post(&chosen);
    pthread_join(t, 0);
    pthread_join(w, 0);
    return 0;
}
