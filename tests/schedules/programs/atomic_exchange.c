/* A lock made of an atomic exchange guards a counter.
 * WRONG: the lock is given back before the new value is stored. */
#include <assert.h>
#include <pthread.h>

static int held;
static int money = 10;

static void enter(void)
{
    while (__atomic_exchange_n(&held, 1, __ATOMIC_SEQ_CST))
        ;
}

static void leave(void)
{
    __atomic_store_n(&held, 0, __ATOMIC_SEQ_CST);
}

static void *spend(void *amount)
{
    int rest;
    enter();
    rest = money - *(int *)amount;
#ifdef WRONG
    leave();
    money = rest;
#else
    money = rest;
    leave();
#endif
    return 0;
}

int main(void)
{
    pthread_t a, b;
    int three = 3, four = 4;
    pthread_create(&a, 0, spend, &three);
    pthread_create(&b, 0, spend, &four);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(money == 3);
    return 0;
}
