/* Two threads with explicit store buffers of one entry, in the form that tools give to tests of weak memory:
 * each step is a section, and the buffer is flushed at any time.
 * WRONG: both threads may read the old values, because nothing waits for the buffers. */
#include <pthread.h>

extern void abort(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

void reach_error(void) { abort(); }
void __VERIFIER_assert(int expression) { if (!expression) { ERROR: { reach_error(); abort(); } } return; }

int x, y, over, read0, read1;
_Bool x$used, y$used, main$guard;
int x$buffer, y$buffer;

void *P0(void *arg)
{
    __VERIFIER_atomic_begin();
    x$buffer = 1; x$used = (_Bool)1;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
#ifdef WRONG
    x = x$used && __VERIFIER_nondet_bool() ? x$buffer : x;
#else
    x = x$used ? x$buffer : x;
#endif
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    read0 = y;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    x = x$used ? x$buffer : x; x$used = (_Bool)0; over = over + 1;
    __VERIFIER_atomic_end();
    return ((void *)0);
}

void *P1(void *arg)
{
    __VERIFIER_atomic_begin();
    y$buffer = 1; y$used = (_Bool)1;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
#ifdef WRONG
    y = y$used && __VERIFIER_nondet_bool() ? y$buffer : y;
#else
    y = y$used ? y$buffer : y;
#endif
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    read1 = x;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    y = y$used ? y$buffer : y; y$used = (_Bool)0; over = over + 1;
    __VERIFIER_atomic_end();
    return ((void *)0);
}

int main(void)
{
    pthread_t t0, t1;
    pthread_create(&t0, ((void *)0), P0, ((void *)0));
    pthread_create(&t1, ((void *)0), P1, ((void *)0));
    __VERIFIER_atomic_begin();
    main$guard = over == 2;
    __VERIFIER_atomic_end();
    __VERIFIER_assume(main$guard);
    __VERIFIER_assert(!(read0 == 0 && read1 == 0));
    return 0;
}
