/* Peterson (1981): who wants gets in, as long as both go on. */
#include <pthread.h>

_Bool asks, in;
_Bool wants_first, wants_second;
int turn;

void *first(void *argument)
{
    while (1) {
        asks = 1;
        wants_first = 1;
        turn = 1;
        while (wants_second && turn == 1)
            ;
        in = 1;
        asks = 0;
        in = 0;
        wants_first = 0;
    }
    return argument;
}

void *second(void *argument)
{
    while (1) {
        wants_second = 1;
        turn = 0;
        while (wants_first && turn == 0)
            ;
        wants_second = 0;
    }
    return argument;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
