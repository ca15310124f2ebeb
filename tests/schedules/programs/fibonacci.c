/* Two threads add each other's number to their own: the greatest value is one of Fibonacci's.
 * WRONG: the bound that is asserted is one too small. */
#include <pthread.h>

#define TIMES 3
#ifdef WRONG
#define LIMIT 20
#else
#define LIMIT 21
#endif

extern void abort(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int i = 1, j = 1;

void reach_error(void)
{
ERROR:
    return;
}

static void *add_to_i(void *unused)
{
    for (int k = 0; k < TIMES; k++) {
        __VERIFIER_atomic_begin();
        i += j;
        __VERIFIER_atomic_end();
    }
    return unused;
}

static void *add_to_j(void *unused)
{
    for (int k = 0; k < TIMES; k++) {
        __VERIFIER_atomic_begin();
        j += i;
        __VERIFIER_atomic_end();
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, add_to_i, 0);
    pthread_create(&b, 0, add_to_j, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (i > LIMIT || j > LIMIT) {
        reach_error();
        abort();
    }
    return 0;
}
