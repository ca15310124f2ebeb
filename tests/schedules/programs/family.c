/* A thread starts another one and waits for it.
 * WRONG: it does not wait. */
#include <assert.h>
#include <pthread.h>

static int child_done;
static int parent_done;

static void *child(void *argument)
{
    int *work = argument;
    *work = *work * 2;
    child_done = 1;
    return 0;
}

static int work = 21;

static void *parent(void *unused)
{
    pthread_t c;
    pthread_create(&c, 0, child, &work);
#ifndef WRONG
    pthread_join(c, 0);
#endif
    parent_done = 1;
    return unused;
}

int main(void)
{
    pthread_t p;
    if (pthread_create(&p, 0, parent, 0) != 0)
        return 1;
    pthread_join(p, 0);
    assert(parent_done);
    assert(child_done);
    assert(work == 42);
    return 0;
}

/* What the grandchild has written is seen by main only because each generation
 * waits for the next one. */
