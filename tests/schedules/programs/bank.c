/* Transfers between two accounts leave their sum as it is.
 * WRONG: a transfer reads the balances before it has the locks. */
#include <assert.h>
#include <pthread.h>

struct account {
    int balance;
    pthread_mutex_t lock;
};

static struct account ours = {10, PTHREAD_MUTEX_INITIALIZER};
static struct account theirs = {10, PTHREAD_MUTEX_INITIALIZER};

static void transfer(struct account *from, struct account *to, int amount)
{
    int have, had;
#ifdef WRONG
    have = from->balance;
    had = to->balance;
#endif
    pthread_mutex_lock(&ours.lock);
    pthread_mutex_lock(&theirs.lock);
#ifndef WRONG
    have = from->balance;
    had = to->balance;
#endif
    if (have >= amount) {
        from->balance = have - amount;
        to->balance = had + amount;
    }
    pthread_mutex_unlock(&theirs.lock);
    pthread_mutex_unlock(&ours.lock);
}

static void *pay(void *unused)
{
    transfer(&ours, &theirs, 3);
    return unused;
}

static void *refund(void *unused)
{
    transfer(&theirs, &ours, 5);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, pay, 0);
    pthread_create(&b, 0, refund, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(ours.balance + theirs.balance == 20);
    assert(ours.balance == 12);
    return 0;
}
