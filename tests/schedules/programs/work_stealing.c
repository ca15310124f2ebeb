/* A deque of tasks: its owner takes from the bottom, a thief from the top.
 * WRONG: the owner takes the last task without a contest with the thief. */
#include <assert.h>
#include <pthread.h>

#define TASKS 2

static int top, bottom = TASKS;
static int done[TASKS];

static int take(void)
{
    int b = bottom - 1, t;
    bottom = b;
    t = top;
    if (t < b)
        return b;
    if (t == b) {
        int won = 1;
#ifndef WRONG
        won = __sync_bool_compare_and_swap(&top, t, t + 1);
#endif
        bottom = t + 1;
        return won ? b : -1;
    }
    bottom = t;
    return -1;
}

static int steal(void)
{
    int t = top;
    int b = bottom;
    if (t >= b)
        return -1;
    if (__sync_bool_compare_and_swap(&top, t, t + 1))
        return t;
    return -1;
}

static void perform(int task)
{
    if (task >= 0)
        __sync_fetch_and_add(&done[task], 1);
}

static void *owner(void *unused)
{
    perform(take());
    perform(take());
    return unused;
}

static void *thief(void *unused)
{
    perform(steal());
    return unused;
}

int main(void)
{
    pthread_t o, t;
    pthread_create(&o, 0, owner, 0);
    pthread_create(&t, 0, thief, 0);
    pthread_join(o, 0);
    pthread_join(t, 0);
    assert(done[0] <= 1);
    assert(done[1] <= 1);
    return 0;
}
