/* Atomic operations, of C11 and of the compiler: each is one step, also on what a proposition reads. */
#include <pthread.h>
#include <stdatomic.h>

atomic_int tickets, serving, total;
atomic_flag busy = ATOMIC_FLAG_INIT;
int lock, inside, want, have, plain;

static void enter(void)
{
#if defined TICKET
    int mine = atomic_fetch_add(&tickets, 1);
    while (atomic_load(&serving) != mine)
        ;
#elif defined FLAG
    while (atomic_flag_test_and_set(&busy))
        ;
#elif defined SWAP
    int expected = 0;
    while (!atomic_compare_exchange_strong(&total, &expected, 1))
        expected = 0;
#elif defined BUILTIN
    while (__sync_lock_test_and_set(&lock, 1))
        ;
#endif
}

static void leave(void)
{
#if defined TICKET
    atomic_fetch_add(&serving, 1);
#elif defined FLAG
    atomic_flag_clear(&busy);
#elif defined SWAP
    atomic_store(&total, 0);
#elif defined BUILTIN
    __sync_lock_release(&lock);
#endif
}

void *first(void *arg)
{
    (void)arg;
#if defined COUNT
    total++;
    __atomic_fetch_add(&plain, 1, __ATOMIC_SEQ_CST);
#elif defined RACE
    plain++;
#else
    want = 1;
    enter();
    inside++;
    have = 1;
    inside--;
    leave();
#endif
    return NULL;
}

void *second(void *arg)
{
    (void)arg;
#if defined COUNT
    total += 1;
    __atomic_add_fetch(&plain, 1, __ATOMIC_SEQ_CST);
#elif defined RACE
    plain++;
#else
    enter();
    inside++;
    inside--;
#if !defined DEADLOCK
    leave();
#endif
#endif
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
