/* Szymanski's mutual exclusion, for two threads. With RACE, the second one does not stand still at the door. */
#include <pthread.h>

int flag1, flag2, in1, in2, want, have;

void *first(void *arg)
{
    (void)arg;
    want = 1;
    flag1 = 1;
    while (flag2 >= 3)
        ;
    flag1 = 3;
    if (flag2 == 1) {
        flag1 = 2;
        while (flag2 != 4)
            ;
    }
    flag1 = 4;
    while (flag2 >= 2)
        ;
    have = 1;
    in1 = 1;
    in1 = 0;
    while (2 <= flag2 && flag2 <= 3)
        ;
    flag1 = 0;
    return NULL;
}

void *second(void *arg)
{
    (void)arg;
    flag2 = 1;
#if !defined RACE
    while (flag1 >= 3)
        ;
#endif
    flag2 = 3;
    if (flag1 == 1) {
        flag2 = 2;
        while (flag1 != 4)
            ;
    }
    flag2 = 4;
    while (2 <= flag1 && flag1 <= 3)
        ;
    in2 = 1;
    in2 = 0;
    flag2 = 0;
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
