// none
#include <pthread.h>
#include <semaphore.h>
struct request { int in, out; };
static struct request one[2], *current;
static sem_t asked, answered;
static int total;
static void *serve(void *u)
{
    for (int i = 0; i < 2; i++) {
        sem_wait(&asked);
        current->out = current->in + 1;
        sem_post(&answered);
    }
    return u;
}
static int ask(int i)
{
    one[i].in = 1;
    current = &one[i];
    sem_post(&asked);
    sem_wait(&answered);
    return one[i].out;
}
int main(void)
{
    pthread_t t;
    sem_init(&asked, 0, 0);
    sem_init(&answered, 0, 0);
    pthread_create(&t, 0, serve, 0);
    total = ask(0);
    total += ask(1);
    pthread_join(t, 0);
    return 0;
}
