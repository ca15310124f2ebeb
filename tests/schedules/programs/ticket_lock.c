/* A lock with tickets: each takes a number and waits until it is called.
 * WRONG: two threads may take the same number. */
#include <assert.h>
#include <pthread.h>

static unsigned next_ticket, now_serving;
static int account;

static unsigned take(void)
{
#ifdef WRONG
    unsigned mine = next_ticket;
    next_ticket = mine + 1;
    return mine;
#else
    return __atomic_fetch_add(&next_ticket, 1, __ATOMIC_SEQ_CST);
#endif
}

static void *depositor(void *unused)
{
    unsigned mine = take();
    int old;
    while (now_serving != mine)
        ;
    old = account;
    account = old + 5;
    now_serving = mine + 1;
    return unused;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, 0, depositor, 0);
    pthread_create(&b, 0, depositor, 0);
    pthread_create(&c, 0, depositor, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(account == 15);
    return 0;
}
