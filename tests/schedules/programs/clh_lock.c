/* The lock of Craig, Landin and Hagersten: each thread waits for the node of the thread before it, and takes that node
 * over. WRONG: the lock is given away before the second write. */
#include <pthread.h>
#include <stdlib.h>

typedef struct node {
    volatile int busy;
} node_t;

static node_t first;
static node_t *tail = &first;
int data, copy;

void reach_error(void) { abort(); }

static node_t *acquire(node_t *mine)
{
    node_t *before;
    mine->busy = 1;
    before = __sync_lock_test_and_set(&tail, mine);
    while (before->busy) {
    }
    return before;
}

static void release(node_t *mine)
{
    mine->busy = 0;
}

static void *worker(void *unused)
{
    node_t *mine = malloc(sizeof(node_t)), *before;
    if (!mine)
        return NULL;
    before = acquire(mine);
    data++;
#ifdef WRONG
    release(mine);
    copy++;
#else
    copy++;
    release(mine);
#endif
    mine = before;
    before = acquire(mine);
    if (data != copy) {
    ERROR:
        reach_error();
    }
    release(mine);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i)
        pthread_create(threads + i, NULL, worker, NULL);
    for (int i = 0; i < 2; ++i)
        pthread_join(threads[i], NULL);
    return 0;
}
