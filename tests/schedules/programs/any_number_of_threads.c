/* As many threads as somebody likes, each of which increments a counter and sees that it has grown. The section is one that
 * only one thread can be in. WRONG: there is no such section. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static void assume_abort_if_not(int condition)
{
    if (!condition)
        abort();
}

static volatile unsigned value, taken;

static void __VERIFIER_atomic_takes(void)
{
    assume_abort_if_not(taken == 0);
    taken = 1;
}

static void __VERIFIER_atomic_gives(void)
{
    taken = 0;
}

static void *increments(void *unused)
{
#ifndef WRONG
    __VERIFIER_atomic_takes();
#endif
    unsigned known = value;
    value = known + 1;
#ifndef WRONG
    __VERIFIER_atomic_gives();
#endif
    __VERIFIER_atomic_begin();
    int grown = value > known;
    __VERIFIER_atomic_end();
    assert(grown);
    return unused;
}

int main(void)
{
    pthread_t thread;
    while (1)
        pthread_create(&thread, 0, increments, 0);
}
