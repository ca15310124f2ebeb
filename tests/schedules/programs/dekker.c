/* Dekker's algorithm for two threads.
 * WRONG: a thread does not show its wish before it looks at the other's. */
#include <pthread.h>

int wish0, wish1;
int turn;
int inside0, inside1;

static void *zero(void *unused)
{
#ifndef WRONG
    wish0 = 1;
#endif
    while (wish1) {
        if (turn != 0) {
            wish0 = 0;
            while (turn != 0)
                ;
            wish0 = 1;
        }
    }
#ifdef WRONG
    wish0 = 1;
#endif
    inside0 = 1;
    inside0 = 0;
    turn = 1;
    wish0 = 0;
    return unused;
}

static void *one(void *unused)
{
    wish1 = 1;
    while (wish0) {
        if (turn != 1) {
            wish1 = 0;
            while (turn != 1)
                ;
            wish1 = 1;
        }
    }
    inside1 = 1;
    inside1 = 0;
    turn = 0;
    wish1 = 0;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, zero, 0);
    pthread_create(&b, 0, one, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
