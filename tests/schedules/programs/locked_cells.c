/* Cells with a lock each, in an array; a thread takes one that nobody knows. WRONG: it takes the lock of the first cell,
 * whichever cell it changes. */
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

struct cell {
    int value;
    pthread_mutex_t lock;
};

static struct cell cells[3];

static void increments(struct cell *cell, struct cell *locked)
{
    pthread_mutex_lock(&locked->lock);
    int value = cell->value;
    cell->value = value + 1;
    pthread_mutex_unlock(&locked->lock);
}

static void *chooses(void *unused)
{
    struct cell *cell = &cells[__VERIFIER_nondet_uint() % 3];
#ifdef WRONG
    increments(cell, cells);
#else
    increments(cell, cell);
#endif
    return unused;
}

int main(void)
{
    for (int i = 0; i < 3; i++)
        pthread_mutex_init(&cells[i].lock, 0);
    pthread_t thread;
    pthread_create(&thread, 0, chooses, 0);
    increments(&cells[1], &cells[1]);
    pthread_join(thread, 0);
    assert(cells[0].value + cells[1].value + cells[2].value == 2);
    return 0;
}
