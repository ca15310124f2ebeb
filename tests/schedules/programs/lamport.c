/* Lamport's fast lock for two threads.
 * WRONG: a thread does not look again whether it was overtaken. */
#include <pthread.h>

int x, y;
int b1, b2;
int inside;

#define ATTEMPT(me, mine)                                                     \
    again:                                                                    \
    mine = 1;                                                                 \
    x = me;                                                                   \
    if (y != 0) {                                                             \
        mine = 0;                                                             \
        while (y != 0)                                                        \
            ;                                                                 \
        goto again;                                                           \
    }                                                                         \
    y = me;                                                                   \
    if (OVERTAKEN(me)) {                                                      \
        mine = 0;                                                             \
        while (b1)                                                            \
            ;                                                                 \
        while (b2)                                                            \
            ;                                                                 \
        if (y != me) {                                                        \
            while (y != 0)                                                    \
                ;                                                             \
            goto again;                                                       \
        }                                                                     \
    }
#ifdef WRONG
#define OVERTAKEN(me) 0
#else
#define OVERTAKEN(me) (x != me)
#endif

static void *one(void *unused)
{
    ATTEMPT(1, b1)
    inside++;
    inside--;
    y = 0;
    b1 = 0;
    return unused;
}

static void *two(void *unused)
{
    ATTEMPT(2, b2)
    inside++;
    inside--;
    y = 0;
    b2 = 0;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
