/* A counter that is incremented by compare-and-swap, tried again until it succeeds.
 * WRONG: who fails does not try again. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static int counter;

static bool attempt(void)
{
    int seen = __atomic_load_n(&counter, __ATOMIC_SEQ_CST);
    return __atomic_compare_exchange_n(&counter, &seen, seen + 1, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST);
}

static void *increment(void *unused)
{
#ifdef WRONG
    attempt();
#else
    while (!attempt())
        ;
#endif
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    int i;
    for (i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, increment, 0);
    for (i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    assert(counter == 3);
    return 0;
}

/* The attempts of three threads can fail at most three times altogether, since
 * each failure means that another one has succeeded in between. */
