/* Lamport's fast mutual exclusion, for two threads. With RACE, the second one does not wait until the first has decided. */
#include <pthread.h>

int x, y, b1, b2, in1, in2, want, have;

void *first(void *arg)
{
    (void)arg;
    want = 1;
    while (1) {
        b1 = 1;
        x = 1;
        if (y != 0) {
            b1 = 0;
            while (y != 0)
                ;
            continue;
        }
        y = 1;
        if (x != 1) {
            b1 = 0;
            while (b2 == 1)
                ;
            if (y != 1) {
                while (y != 0)
                    ;
                continue;
            }
        }
        break;
    }
    have = 1;
    in1 = 1;
    in1 = 0;
    y = 0;
    b1 = 0;
    return NULL;
}

void *second(void *arg)
{
    (void)arg;
    while (1) {
        b2 = 1;
        x = 2;
        if (y != 0) {
            b2 = 0;
            while (y != 0)
                ;
            continue;
        }
        y = 2;
        if (x != 2) {
            b2 = 0;
#if !defined RACE
            while (b1 == 1)
                ;
#endif
            if (y != 2) {
                while (y != 0)
                    ;
                continue;
            }
        }
        break;
    }
    in2 = 1;
    in2 = 0;
    y = 0;
    b2 = 0;
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
