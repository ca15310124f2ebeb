/* Burns' algorithm for two threads: a bit for each; the second gives way to the first.
 * WRONG: the first one does not wait for the second to leave. */
#include <pthread.h>

extern void reach_error(void);
void reach_error(void)
{
ERROR:
    return;
}

int bit1, bit2;
int owner;

static void *first(void *unused)
{
    bit1 = 1;
#ifndef WRONG
    while (bit2)
        ;
#endif
    owner = 1;
    if (owner != 1)
        reach_error();
    bit1 = 0;
    return unused;
}

static void *second(void *unused)
{
    int tries;
    for (tries = 0; tries < 2; tries++) {
        bit2 = 1;
        if (!bit1) {
            owner = 2;
            if (owner != 2)
                reach_error();
            bit2 = 0;
            return unused;
        }
        bit2 = 0;
        while (bit1)
            ;
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
