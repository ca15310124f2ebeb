/* A wait for a semaphore that fails says why; each thread has its own `errno`. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

sem_t s, never;
struct timespec limit;
int got, late, busy;

static void *other(void *unused)
{
    busy = sem_trywait(&never) == -1 && errno == EAGAIN;
    sem_post(&s);
    return unused;
}

int main(void)
{
    pthread_t t;
    sem_init(&s, 0, 0);
    sem_init(&never, 0, 0);
    pthread_create(&t, 0, other, 0);
    if (sem_timedwait(&s, &limit) == 0)
        got = 1;
    else
        late = errno == ETIMEDOUT;
    pthread_join(t, 0);
    return 0;
}
