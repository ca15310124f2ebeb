/* Spin locks, and loops that only wait. */
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

pthread_spinlock_t l;
volatile int ready;
int in1, in2, want, have;

void *first(void *arg)
{
    (void)arg;
#if defined FLAG
    want = 1;
    while (!ready)
        usleep(10);
    have = 1;
#elif defined BREAKS
    want = 1;
    for (;;) {
        int now = ready;
        if (now)
            break;
        sched_yield();
    }
    have = 1;
#elif defined FOREVER
    want = 1;
    while (1)
        ;
#else
    want = 1;
    pthread_spin_lock(&l);
    in1 = 1;
    have = 1;
    in1 = 0;
    pthread_spin_unlock(&l);
#endif
    return NULL;
}

void *second(void *arg)
{
    (void)arg;
#if defined FLAG || defined BREAKS
    ready = 1;
#if defined TAKEN_BACK
    ready = 0;
#endif
#elif !defined FOREVER
#if !defined WRONG
    pthread_spin_lock(&l);
#endif
    in2 = 1;
    in2 = 0;
#if !defined WRONG && !defined DEADLOCK
    pthread_spin_unlock(&l);
#endif
#endif
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
