/* Two transfers in opposite directions take their locks in opposite orders. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t accounts[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int balance[2] = {10, 10};
int transfers;

static void transfer(int from, int to, int amount)
{
    pthread_mutex_lock(&accounts[from]);
    pthread_mutex_lock(&accounts[to]);
    if (balance[from] >= amount) {
        balance[from] -= amount;
        balance[to] += amount;
    }
    transfers = 1;
    pthread_mutex_unlock(&accounts[to]);
    pthread_mutex_unlock(&accounts[from]);
}

static void *left(void *p)
{
    for (;;)
        transfer(0, 1, 1);
    return 0;
}

static void *right(void *p)
{
    for (;;)
        transfer(1, 0, 2);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
