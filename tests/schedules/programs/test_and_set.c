/* Two threads take turns in a critical section that a test-and-set lock guards.
 * WRONG: the test and the set are two steps, so that both may find the lock free. */
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int lock;
int inside;
int visits;

static void acquire(void)
{
    int was;
    do {
#ifdef WRONG
        was = lock;
        lock = 1;
#else
        __VERIFIER_atomic_begin();
        was = lock;
        lock = 1;
        __VERIFIER_atomic_end();
#endif
    } while (was == 1);
}

static void release(void)
{
    lock = 0;
}

static void *visitor(void *unused)
{
    (void)unused;
    acquire();
    inside++;
    visits++;
    inside--;
    release();
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, visitor, 0);
    pthread_create(&second, 0, visitor, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
