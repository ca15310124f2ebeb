/* The filter lock for three threads: Peterson's algorithm on two levels.
 * WRONG: the second level is left out. */
#include <pthread.h>

#define THREADS 3
#ifdef WRONG
#define LEVELS 1
#else
#define LEVELS 2
#endif

int level[THREADS];
int victim[LEVELS + 1];
int inside;

static int others_at(int me, int wanted)
{
    int a = me == 0 ? 1 : 0;
    int b = me == 2 ? 1 : 2;
    return level[a] >= wanted || level[b] >= wanted;
}

static void lock(int me)
{
    int l;
    for (l = 1; l <= LEVELS; l++) {
        level[me] = l;
        victim[l] = me;
        while (others_at(me, l) && victim[l] == me)
            ;
    }
}

static void *contender(void *number)
{
    int me = (int)(long)number;
    lock(me);
    inside++;
    inside--;
    level[me] = 0;
    return 0;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, 0, contender, (void *)0L);
    pthread_create(&b, 0, contender, (void *)1L);
    pthread_create(&c, 0, contender, (void *)2L);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
