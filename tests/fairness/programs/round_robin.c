/* Two workers run in turn: each hands on to the other one. With -DGREEDY the first one keeps the turn. */
#include <pthread.h>
int turn;
_Bool second_runs;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *worker(void *argument)
{
    int me = (int)(long)argument;
    for (;;) {
        pthread_mutex_lock(&m);
        while (turn != me)
            pthread_cond_wait(&c, &m);
        if (me == 1) { second_runs = 1; second_runs = 0; }
#ifdef GREEDY
        if (me == 1) turn = 0; /* the first one keeps it */
#else
        turn = 1 - me;
#endif
        pthread_cond_broadcast(&c);
        pthread_mutex_unlock(&m);
    }
    return 0;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, (void *)0L);
    pthread_create(&b, 0, worker, (void *)1L);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
