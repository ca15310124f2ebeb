/* Loops that only wait, in the forms that programs have: made by goto, with variables in the head, under a lock, with an
   exchange in the condition. With DEAD, what they wait for never comes. */
#include <pthread.h>
#include <sched.h>

volatile int ready, other;
int spin, want, have;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *first(void *arg)
{
    (void)arg;
    want = 1;
#if defined GOTO
L:
    if (!ready)
        goto L;
#elif defined MIDDLE
    goto test;
pause:
    sched_yield();
test:
    if (!ready)
        goto pause;
#elif defined ENDLESS
L:
    goto L;
#elif defined NESTED
    while (!ready) {
        while (other)
            sched_yield();
        sched_yield();
    }
#elif defined COUNTS
    for (int i = 0; i < 3; i++) {
        if (ready) {
        }
    }
#elif defined NESTED_DO
    while (!ready) {
        do
            sched_yield();
        while (other > 1);
    }
#elif defined HEAD
    for (int now = ready; !now; now = ready)
        sched_yield();
#elif defined EXCHANGE
    do {
        while (spin)
            __builtin_ia32_pause();
    } while (__sync_lock_test_and_set(&spin, 1));
#elif defined WEAK
    for (;;) {
        int expected = 0;
        if (__atomic_compare_exchange_n(&spin, &expected, 1, 1, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            break;
    }
#elif defined LOCKED
    for (;;) {
        pthread_mutex_lock(&m);
        int now = ready;
        pthread_mutex_unlock(&m);
        if (now)
            break;
    }
#elif defined LOCKED_BREAK
    while (1) {
        pthread_mutex_lock(&m);
        if (ready) {
            pthread_mutex_unlock(&m);
            break;
        }
        pthread_mutex_unlock(&m);
        sched_yield();
    }
#endif
    have = 1;
    return NULL;
}

void *second(void *arg)
{
    (void)arg;
    spin = 1;
    pthread_mutex_lock(&m);
    other = 1;
#if !defined DEAD
    ready = 1;
    other = 0;
    spin = 0;
#endif
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
