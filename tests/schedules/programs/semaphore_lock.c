/* A semaphore with one token is a lock.
 * WRONG: who only looks posts as well. */
#include <pthread.h>
#include <semaphore.h>

int inside;
static sem_t token;

static void *visitor(void *unused)
{
    sem_wait(&token);
    inside++;
    inside--;
    sem_post(&token);
    return unused;
}

static void *passer_by(void *unused)
{
    if (sem_trywait(&token) != 0) {
#ifdef WRONG
        sem_post(&token);
#endif
        return unused;
    }
    sem_post(&token);
    return unused;
}

int main(void)
{
    pthread_t a, b, c;
    if (sem_init(&token, 0, 1))
        return 1;
    pthread_create(&a, 0, visitor, 0);
    pthread_create(&b, 0, passer_by, 0);
    pthread_create(&c, 0, visitor, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    sem_destroy(&token);
    return 0;
}
