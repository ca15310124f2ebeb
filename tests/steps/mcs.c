#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
struct node { struct node *_Atomic next; atomic_int locked; };
struct node nodes[2];
struct node *_Atomic tail;
int in[2], asks[2];
static void lock(struct node *me)
{
    me->next = NULL;
    struct node *before = atomic_exchange(&tail, me);
    if (before) {
        me->locked = 1;
        before->next = me;
#ifndef WRONG
        while (me->locked) ;
#endif
    }
}
static void unlock(struct node *me)
{
    if (!me->next) {
        struct node *expected = me;
        if (atomic_compare_exchange_strong(&tail, &expected, NULL)) return;
        while (!me->next) ;
    }
    struct node *next = me->next;
    next->locked = 0;
}
static void *run(void *arg)
{
    int i = arg != NULL;
    for (;;) {
        asks[i] = 1;
        lock(&nodes[i]);
        in[i] = 1; asks[i] = 0; in[i] = 0;
        unlock(&nodes[i]);
    }
    return NULL;
}
int main(void) { pthread_t a, b; pthread_create(&a, 0, run, NULL); pthread_create(&b, 0, run, &nodes); pthread_join(a, 0); return 0; }
