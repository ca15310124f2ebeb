/* Workers take commands out of a table and run them through pointers to functions.
 * WRONG: the balance is changed without the lock. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

typedef int (*handler_t)(int);

struct command {
    const char *name;
    handler_t run;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int balance;
int served;

static void change(int by)
{
#ifdef WRONG
    int old = balance;
    balance = old + by;
#else
    pthread_mutex_lock(&lock);
    balance += by;
    pthread_mutex_unlock(&lock);
#endif
}

static int deposit(int amount)
{
    change(amount);
    return amount;
}

static int withdraw(int amount)
{
    change(-amount);
    return -amount;
}

static int nothing(int amount)
{
    return amount - amount;
}

static const struct command commands[] = {
    {"deposit", deposit},
    {"withdraw", withdraw},
    {"nothing", nothing},
};

struct request {
    unsigned code;
    int amount;
};

static struct request first[] = {{0, 10}, {2, 3}};
static struct request second[] = {{1, 4}, {0, 1}};

static int dispatch(const struct request *r)
{
    if (r->code >= sizeof commands / sizeof commands[0])
        return 0;
    const struct command *c = &commands[r->code];
    return c->run(r->amount);
}

static void *worker(void *arg)
{
    struct request *todo = arg;
    int i;
    for (i = 0; i < 2; i++) {
        dispatch(&todo[i]);
        pthread_mutex_lock(&lock);
        served++;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, first);
    pthread_create(&b, NULL, worker, second);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(served == 4);
    assert(balance == 7);
    return 0;
}
