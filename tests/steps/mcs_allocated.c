#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <stdbool.h>
/* MCS lock, each thread allocates its queue node */
typedef struct mcs_node { _Atomic(struct mcs_node *) next; atomic_bool locked; } mcs_node;
typedef struct { _Atomic(mcs_node *) tail; } mcs_lock_t;
static mcs_lock_t lock;
int inside, bad, served, asks;
static void acquire(mcs_lock_t *l, mcs_node *me)
{
    atomic_store(&me->next, NULL);
    atomic_store(&me->locked, true);
    mcs_node *pred = atomic_exchange(&l->tail, me);
    if (pred != NULL) {
        atomic_store(&pred->next, me);
        while (atomic_load(&me->locked)) { }
    }
}
static void release(mcs_lock_t *l, mcs_node *me)
{
    mcs_node *succ = atomic_load(&me->next);
    if (succ == NULL) {
        mcs_node *expected = me;
        if (atomic_compare_exchange_strong(&l->tail, &expected, NULL)) return;
#ifdef WRONG
        return;
#else
        while ((succ = atomic_load(&me->next)) == NULL) { }
#endif
    }
    atomic_store(&succ->locked, false);
}
static void *thread(void *arg)
{
    int first = *(int *)arg;
    mcs_node *n = malloc(sizeof *n);
    if (n == NULL) exit(1);
    for (;;) {
        if (first) asks = 1;
        acquire(&lock, n);
        inside++;
        if (inside != 1) bad = 1;
        if (first) { asks = 0; served = 1; served = 0; }
        inside--;
        release(&lock, n);
    }
    return NULL;
}
int main(void)
{
    pthread_t t[2];
    int ids[2] = { 1, 0 };
    for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, thread, &ids[i]);
    for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
}
