/* Two threads sum the elements of an array of any length, one from each end; the sums do not overflow. WRONG: one of them
 * leaves out the first element. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int *elements, n, up, down;

static void assume_abort_if_not(int condition)
{
    if (!condition)
        abort();
}

static int plus(int a, int b)
{
    assume_abort_if_not(b >= 0 || a >= -2147483647 - 1 - b);
    assume_abort_if_not(b <= 0 || a <= 2147483647 - b);
    return a + b;
}

static void *sums_up(void *unused)
{
    for (int i = 0; i < n; i++) {
        __VERIFIER_atomic_begin();
        up = plus(up, elements[i]);
        __VERIFIER_atomic_end();
    }
    return unused;
}

static void *sums_down(void *unused)
{
    int i = n;
#ifdef WRONG
    while (i > 1) {
#else
    while (i > 0) {
#endif
        i--;
        __VERIFIER_atomic_begin();
        down = plus(down, elements[i]);
        __VERIFIER_atomic_end();
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;
    n = __VERIFIER_nondet_int();
    assume_abort_if_not(n >= 0 && n <= 2);
    elements = malloc(sizeof(int) * (unsigned)n);
    for (int i = 0; i < n; i++)
        elements[i] = __VERIFIER_nondet_int();
    pthread_create(&a, 0, sums_up, 0);
    pthread_create(&b, 0, sums_down, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(up == down);
    return 0;
}
