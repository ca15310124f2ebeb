/* Anderson's lock: a slot for each waiting thread; who leaves opens the next slot.
 * WRONG: the slot that a thread has come through stays open. */
#include <pthread.h>

#define SLOTS 2

int open_slot[SLOTS] = {1, 0};
unsigned tail;
int inside;

static unsigned enter(void)
{
    unsigned mine = __atomic_fetch_add(&tail, 1, __ATOMIC_SEQ_CST) % SLOTS;
    while (!open_slot[mine])
        ;
#ifndef WRONG
    open_slot[mine] = 0;
#endif
    return mine;
}

static void leave(unsigned mine)
{
    open_slot[(mine + 1) % SLOTS] = 1;
}

static void *worker(void *unused)
{
    int i;
    for (i = 0; i < 2; i++) {
        unsigned mine = enter();
        inside++;
        inside--;
        leave(mine);
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
