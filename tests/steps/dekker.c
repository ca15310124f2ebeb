#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants0, wants1, turn;
int in0, in1, asks0;

static void *first(void *argument)
{
    while (1) {
        asks0 = 1;
        wants0 = 1;
#ifndef WRONG
        while (wants1) {
            if (turn == 1) {
                wants0 = 0;
                while (turn == 1)
                    ;
                wants0 = 1;
            }
        }
#endif
        asks0 = 0;
        in0 = 1;
        in0 = 0;
        turn = 1;
        wants0 = 0;
    }
    return argument;
}

static void *second(void *argument)
{
    while (1) {
        wants1 = 1;
        while (wants0) {
            if (turn == 0) {
                wants1 = 0;
                while (turn == 0)
                    ;
                wants1 = 1;
            }
        }
        in1 = 1;
        in1 = 0;
        turn = 0;
        wants1 = 0;
    }
    return argument;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
