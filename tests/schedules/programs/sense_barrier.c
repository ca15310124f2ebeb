/* A barrier of one's own: the last one to arrive turns the sense, which the others wait for.
 * WRONG: the counter is set back after the others were let through, so that one who comes again is not counted. */
#include <assert.h>
#include <pthread.h>

#define THREADS 2

static int arrived;
static int sense;
static int phase[THREADS];
int finished;

static void barrier(int mine)
{
    if (__atomic_add_fetch(&arrived, 1, __ATOMIC_SEQ_CST) == THREADS) {
#ifdef WRONG
        sense = mine;
        arrived = 0;
#else
        arrived = 0;
        sense = mine;
#endif
    } else {
        while (sense != mine)
            ;
    }
}

static void *worker(void *number)
{
    int me = (int)(long)number;
    phase[me] = 1;
    barrier(1);
    assert(phase[1 - me] >= 1);
    phase[me] = 2;
    barrier(0);
    assert(phase[1 - me] == 2);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, (void *)0L);
    pthread_create(&b, 0, worker, (void *)1L);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(arrived == 0);
    finished = 1;
    return 0;
}
