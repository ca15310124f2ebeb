/* Szymanski's algorithm for two threads: a waiting room with two doors.
 * WRONG: the second thread does not let the first one out of the room before it. */
#include <pthread.h>

int flag1, flag2;
int inside;

static void *one(void *unused)
{
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
    inside++;
    inside--;
    while (2 <= flag2 && flag2 <= 3)
        ;
    flag1 = 0;
    return unused;
}

static void *two(void *unused)
{
    flag2 = 1;
    while (flag1 >= 3)
        ;
    flag2 = 3;
    if (flag1 == 1) {
        flag2 = 2;
        while (flag1 != 4)
            ;
    }
    flag2 = 4;
#ifndef WRONG
    while (flag1 >= 2)
        ;
#endif
    inside++;
    inside--;
    flag2 = 0;
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
