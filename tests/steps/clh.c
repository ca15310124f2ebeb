/* Craig, Landin and Hagersten's queue lock. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct qnode { atomic_int busy; };
struct clh { _Atomic(struct qnode *) tail; };
static struct qnode nodes[3];
static struct clh lk;
static int owners;
int peak, served, asking;
struct handle { struct qnode *mine, *pred; };
static void clh_lock(struct clh *l, struct handle *h)
{
    atomic_store(&h->mine->busy, 1);
    h->pred = atomic_exchange(&l->tail, h->mine);
    while (atomic_load(&h->pred->busy)) ;
}
static void clh_unlock(struct handle *h)
{
    struct qnode *p = h->pred;
    atomic_store(&h->mine->busy, 0);
#ifndef WRONG
    h->mine = p;
#endif
}
static void *user(void *arg)
{
    struct qnode *n = arg;
    struct handle h = { n, NULL };
    for (;;) {
        if (n == &nodes[1]) asking = 1;
        clh_lock(&lk, &h);
        owners++;
        if (owners > peak) peak = owners;
        if (n == &nodes[1]) { asking = 0; served = 1; served = 0; }
        owners--;
        clh_unlock(&h);
    }
    return NULL;
}
int main(void)
{
    pthread_t a, b;
    atomic_init(&lk.tail, &nodes[0]);
    pthread_create(&a, NULL, user, &nodes[1]);
    pthread_create(&b, NULL, user, &nodes[2]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return EXIT_SUCCESS;
}
