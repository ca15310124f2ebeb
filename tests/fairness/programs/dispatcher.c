/* A dispatcher gives work to whoever is idle; with -DPREFERS it always asks the first one first. */
#include <pthread.h>
#include <stdatomic.h>
atomic_int work[2];
_Bool second_works;
void *dispatcher(void *argument)
{
#ifdef PREFERS
    while (1) {
        if (!work[0]) work[0] = 1;
        else if (!work[1]) work[1] = 1;
    }
#else
    int next = 0;
    while (1) {
        while (work[next])
            ;
        work[next] = 1;
        next = 1 - next;
    }
#endif
    return argument;
}
void *worker(void *argument)
{
    int me = (int)(long)argument;
    while (1) {
        while (!work[me])
            ;
        if (me == 1) { second_works = 1; second_works = 0; }
        work[me] = 0;
    }
    return 0;
}
int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, 0, dispatcher, 0);
    pthread_create(&b, 0, worker, (void *)0L);
    pthread_create(&c, 0, worker, (void *)1L);
    pthread_join(a, 0);
    return 0;
}
