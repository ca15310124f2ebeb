/* Dekker's algorithm: a wait within a wait. */
#include <pthread.h>

int flag[2], turn, in0, in1, want, have;

void *first(void *arg)
{
    (void)arg;
    want = 1;
    flag[0] = 1;
    while (flag[1]) {
        if (turn != 0) {
            flag[0] = 0;
            while (turn != 0)
                ;
            flag[0] = 1;
        }
    }
    in0 = 1;
    have = 1;
    in0 = 0;
    turn = 1;
    flag[0] = 0;
    return NULL;
}

void *second(void *arg)
{
    (void)arg;
    flag[1] = 1;
    while (flag[0]) {
        if (turn != 1) {
            flag[1] = 0;
            while (turn != 1)
                ;
            flag[1] = 1;
        }
    }
    in1 = 1;
    in1 = 0;
#if !defined DEADLOCK
    turn = 0;
#endif
    flag[1] = 0;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
#if defined DEADLOCK
    turn = 1;
#endif
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
