/* Peterson's algorithm for two threads.
 * WRONG: each gives the turn to itself. */
#include <pthread.h>

#define OTHER(i) (1 - (i))

int wants[2];
int turn;
int inside;

static void *contender(void *number)
{
    int me = (int)(long)number;
    wants[me] = 1;
#ifdef WRONG
    turn = me;
#else
    turn = OTHER(me);
#endif
    while (wants[OTHER(me)] && turn == OTHER(me))
        ;
    inside++;
    inside--;
    wants[me] = 0;
    return 0;
}

int main(void)
{
    pthread_t threads[2];
    int i;
    for (i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, contender, (void *)(long)i);
    for (i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return 0;
}

/* How it works: a thread says that it wants to go in, and lets the other one
 * go first. It waits while the other one wants to go in, too, and may. */
