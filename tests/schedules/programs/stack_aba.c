/* A stack of numbered cells; its head has a tag that every change makes new.
 * WRONG: the tag is never changed, so that a head that was taken and put back is taken for the old one. */
#include <assert.h>
#include <pthread.h>

#define NONE 0
#define INDEX(head) ((head) & 15)
#define TAG(head) ((head) >> 4)
#ifdef WRONG
#define NEXT_TAG(head) TAG(head)
#else
#define NEXT_TAG(head) (TAG(head) + 1)
#endif

static int next[4] = {0, 2, 3, NONE};
static int head = 1; /* the cells 1, 2 and 3 */
static int owner[4];

static int replace(int seen, int index)
{
    int fresh = NEXT_TAG(seen) << 4 | index;
    return __sync_bool_compare_and_swap(&head, seen, fresh);
}

static int pop(void)
{
    int tries;
    for (tries = 0; tries < 2; tries++) {
        int seen = head;
        int cell = INDEX(seen);
        int below = next[cell];
        if (cell == NONE)
            return NONE;
        if (replace(seen, below))
            return cell;
    }
    return NONE;
}

static void push(int cell)
{
    int seen = head;
    next[cell] = INDEX(seen);
    replace(seen, cell);
}

static void *slow(void *unused)
{
    int cell = pop();
    int second = pop();
    if (cell != NONE)
        __sync_fetch_and_add(&owner[cell], 1);
    if (second != NONE)
        __sync_fetch_and_add(&owner[second], 1);
    return unused;
}

static void *fast(void *unused)
{
    int a = pop();
    int b = pop();
    if (b != NONE)
        __sync_fetch_and_add(&owner[b], 1);
    if (a != NONE)
        push(a);
    return unused;
}

int main(void)
{
    pthread_t s, f;
    int i;
    pthread_create(&s, 0, slow, 0);
    pthread_create(&f, 0, fast, 0);
    pthread_join(s, 0);
    pthread_join(f, 0);
    for (i = 1; i < 4; i++)
        assert(owner[i] <= 1);
    return 0;
}
