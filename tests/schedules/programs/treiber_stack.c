/* Treiber's stack with nodes on the heap.
 * WRONG: the top is written without compare-and-swap in push. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct node {
    int value;
    struct node *next;
} node;

static _Atomic(node *) top;
static atomic_int popped;

static void push(int value)
{
    node *n = (node *)malloc(sizeof(node));
    if (n == NULL)
        abort();
    n->value = value;
#ifdef WRONG
    n->next = top;
    top = n;
#else
    node *old = atomic_load(&top);
    do {
        n->next = old;
    } while (!atomic_compare_exchange_weak(&top, &old, n));
#endif
}

static int pop(int *value)
{
    node *old = atomic_load(&top);
    while (old) {
        if (atomic_compare_exchange_strong(&top, &old, old->next)) {
            *value = old->value;
            return 1;
        }
    }
    return 0;
}

static void *pusher(void *arg)
{
    push(*(int *)arg);
    return 0;
}

static void *popper(void *arg)
{
    int v;
    if (pop(&v)) {
        assert(v == 1 || v == 2);
        atomic_fetch_add(&popped, 1);
    }
    return arg;
}

int main(void)
{
    pthread_t p1, p2, q;
    int one = 1, two = 2, v, rest = 0;
    pthread_create(&p1, 0, pusher, &one);
    pthread_create(&p2, 0, pusher, &two);
    pthread_create(&q, 0, popper, 0);
    pthread_join(p1, 0);
    pthread_join(p2, 0);
    pthread_join(q, 0);
    while (pop(&v))
        rest++;
    assert(rest + popped == 2);
    return 0;
}
