#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
typedef struct mcs_node { _Atomic(struct mcs_node *) next; atomic_bool locked; } mcs_node_t;
typedef struct { _Atomic(mcs_node_t *) tail; } mcs_lock_t;
static mcs_lock_t the_lock;
int holders, wants[2], gets[2];
static void mcs_acquire(mcs_lock_t *lock, mcs_node_t *node)
{
    atomic_store_explicit(&node->next, NULL, memory_order_relaxed);
    atomic_store_explicit(&node->locked, true, memory_order_relaxed);
    mcs_node_t *prev = atomic_exchange_explicit(&lock->tail, node, memory_order_acq_rel);
    if (prev != NULL) {
#ifdef WRONG
        atomic_store_explicit(&node->locked, false, memory_order_relaxed);
#endif
        atomic_store_explicit(&prev->next, node, memory_order_release);
        while (atomic_load_explicit(&node->locked, memory_order_acquire))
            ;
    }
}
static void mcs_release(mcs_lock_t *lock, mcs_node_t *node)
{
    mcs_node_t *next = atomic_load_explicit(&node->next, memory_order_acquire);
    if (next == NULL) {
        mcs_node_t *expected = node;
        if (atomic_compare_exchange_strong_explicit(&lock->tail, &expected, NULL, memory_order_acq_rel, memory_order_relaxed))
            return;
        while ((next = atomic_load_explicit(&node->next, memory_order_acquire)) == NULL)
            ;
    }
    atomic_store_explicit(&next->locked, false, memory_order_release);
}
static void *worker(void *arg)
{
    int me = *(int *)arg;
    mcs_node_t node;
    while (true) {
        wants[me] = 1;
        mcs_acquire(&the_lock, &node);
        wants[me] = 0;
        holders++;
        gets[me] = 1;
        gets[me] = 0;
        holders--;
        mcs_release(&the_lock, &node);
    }
    return NULL;
}
int main(void)
{
    pthread_t threads[2];
    int ids[2];
    for (int i = 0; i < 2; i++) {
        ids[i] = i;
        pthread_create(&threads[i], NULL, worker, &ids[i]);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
