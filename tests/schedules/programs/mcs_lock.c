/* The lock of Mellor-Crummey and Scott: waiting threads form a list, and each waits for its own flag.
 * WRONG: a thread does not close its flag before it waits. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

struct node {
    struct node *volatile next;
    volatile int locked;
};

struct node *volatile tail = NULL;
struct node nodes[2];
int count;

static struct node *exchange(struct node *volatile *at, struct node *value)
{
    __VERIFIER_atomic_begin();
    struct node *old = *at;
    *at = value;
    __VERIFIER_atomic_end();
    return old;
}

static int compare_and_swap(struct node *volatile *at, struct node *old, struct node *value)
{
    int done = 0;
    __VERIFIER_atomic_begin();
    if (*at == old) {
        *at = value;
        done = 1;
    }
    __VERIFIER_atomic_end();
    return done;
}

static void acquire(struct node *me)
{
    struct node *before;
    me->next = NULL;
#ifndef WRONG
    me->locked = 1;
#endif
    before = exchange(&tail, me);
    if (before != NULL) {
        before->next = me;
        while (me->locked)
            ;
    }
}

static void release(struct node *me)
{
    if (me->next == NULL) {
        if (compare_and_swap(&tail, me, NULL))
            return;
        while (me->next == NULL)
            ;
    }
    me->next->locked = 0;
}

static void *worker(void *argument)
{
    struct node *me = argument;
    for (int i = 0; i < 2; i++) {
        acquire(me);
        int old = count;
        count = old + 1;
        release(me);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, &nodes[0]);
    pthread_create(&b, NULL, worker, &nodes[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(count == 4);
    return 0;
}
