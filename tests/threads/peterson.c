/* Peterson's algorithm. */
#include <pthread.h>

int flag[2], turn, in0, in1, want, have;

void *first(void *arg)
{
    (void)arg;
    want = 1;
    flag[0] = 1;
    turn = 1;
    while (flag[1] && turn == 1)
        ;
    in0 = 1;
    have = 1;
    in0 = 0;
    flag[0] = 0;
    return NULL;
}

void *second(void *arg)
{
    (void)arg;
    flag[1] = 1;
#if !defined WRONG
    turn = 0;
#endif
    while (flag[0] && turn == 0)
        ;
    in1 = 1;
    in1 = 0;
#if !defined DEADLOCK
    flag[1] = 0;
#endif
    return NULL;
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
