/* An agent lays out one of two things, chosen freely or, with -DTURNS, in turns; each smoker waits for its own. */
#include <pthread.h>
#include <semaphore.h>
extern int nondet_int(void);
static sem_t paper, match, done;
_Bool smokes;
void *agent(void *a)
{
    int next = 0;
    while (1) {
#ifdef TURNS
        next = !next;
#else
        next = nondet_int() != 0;
#endif
        if (next)
            sem_post(&paper);
        else
            sem_post(&match);
        sem_wait(&done);
    }
    return a;
}
void *first(void *a)
{
    while (1) {
        sem_wait(&paper);
        smokes = 1;
        smokes = 0;
        sem_post(&done);
    }
    return a;
}
void *second(void *a)
{
    while (1) {
        sem_wait(&match);
        sem_post(&done);
    }
    return a;
}
int main(void)
{
    pthread_t a, b, c;
    sem_init(&paper, 0, 0);
    sem_init(&match, 0, 0);
    sem_init(&done, 0, 0);
    pthread_create(&a, 0, agent, 0);
    pthread_create(&b, 0, first, 0);
    pthread_create(&c, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
