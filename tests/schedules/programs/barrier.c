/* Two threads fill halves of an array, meet at a barrier, and then read the other half.
 * WRONG: one of them does not wait. */
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t meeting;
static int half[2];
static int seen[2];

static void *left(void *unused)
{
    half[0] = 1;
    pthread_barrier_wait(&meeting);
    seen[0] = half[1];
    assert(seen[0] == 2);
    return unused;
}

static void *right(void *unused)
{
#ifdef WRONG
    pthread_barrier_wait(&meeting);
    half[1] = 2;
#else
    half[1] = 2;
    pthread_barrier_wait(&meeting);
#endif
    seen[1] = half[0];
    assert(seen[1] == 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    if (pthread_barrier_init(&meeting, 0, 2))
        return 1;
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_barrier_destroy(&meeting);
    return 0;
}
