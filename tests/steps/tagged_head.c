/* A stack without locks whose head is a pointer and a number that grows with each node that is taken, so that nobody takes a head for the one it has
 * read if both have the same node. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    _Atomic(struct node *) next;
};
struct head {
    struct node *first;
    size_t taken;
};

static _Atomic struct head top;
static struct node nodes[2];
static atomic_int owners[2];
int twice, ended;

static void push(struct node *x)
{
    struct head old = atomic_load(&top), new;
    do {
        x->next = old.first;
        new.first = x;
        new.taken = old.taken;
    } while (!atomic_compare_exchange_strong(&top, &old, new));
}

static struct node *pop(void)
{
    struct head old = atomic_load(&top), new;
    do {
        if (old.first == NULL)
            return NULL;
        new.first = old.first->next;
#ifdef WRONG
        new.taken = old.taken;
#else
        new.taken = old.taken + 1;
#endif
    } while (!atomic_compare_exchange_strong(&top, &old, new));
    return old.first;
}

static struct node *own(void)
{
    struct node *x = pop();
    if (x && atomic_fetch_add(&owners[x - nodes], 1) > 0)
        twice = 1;
    return x;
}

static void *returns(void *unused)
{
    struct node *x = own();
    own();
    if (x) {
        atomic_fetch_sub(&owners[x - nodes], 1);
        push(x);
    }
    return unused;
}

static void *keeps(void *unused)
{
    own();
    own();
    return unused;
}

int main(void)
{
    pthread_t a, b;
    push(&nodes[0]);
    push(&nodes[1]);
    pthread_create(&a, NULL, returns, NULL);
    pthread_create(&b, NULL, keeps, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    ended = 1;
    return 0;
}
