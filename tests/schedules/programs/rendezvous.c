/* Two threads wait for each other with two semaphores.
 * WRONG: both wait before they post, so that nobody goes on. */
#include <pthread.h>
#include <semaphore.h>

int met;
static sem_t first_here, second_here;

static void *first(void *unused)
{
#ifdef WRONG
    sem_wait(&second_here);
    sem_post(&first_here);
#else
    sem_post(&first_here);
    sem_wait(&second_here);
#endif
    met = 1;
    return unused;
}

static void *second(void *unused)
{
#ifdef WRONG
    sem_wait(&first_here);
    sem_post(&second_here);
#else
    sem_post(&second_here);
    sem_wait(&first_here);
#endif
    return unused;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&first_here, 0, 0);
    sem_init(&second_here, 0, 0);
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
