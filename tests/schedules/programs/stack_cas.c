/* A stack of allocated nodes whose top changes by compare-and-swap.
 * WRONG: push stores the new top without looking whether it is still the old one. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *top;

static void push(int value)
{
    struct node *fresh = malloc(sizeof *fresh);
    struct node *old;
    if (!fresh)
        abort();
    fresh->value = value;
#ifdef WRONG
    old = top;
    fresh->next = old;
    top = fresh;
#else
    do {
        old = top;
        fresh->next = old;
    } while (!__sync_bool_compare_and_swap(&top, old, fresh));
#endif
}

static void *pusher(void *value)
{
    push((int)(long)value);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    int sum = 0, nodes = 0;
    struct node *at;
    pthread_create(&a, 0, pusher, (void *)4L);
    pthread_create(&b, 0, pusher, (void *)5L);
    pthread_join(a, 0);
    pthread_join(b, 0);
    for (at = top; at; at = at->next) {
        sum += at->value;
        nodes++;
    }
    assert(nodes == 2 && sum == 9);
    return 0;
}
