/* Szymanski's algorithm for two threads, with each access in a section; waits read into a variable.
 * WRONG: the second thread does not wait for the door to be shut behind the first one. */
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

#define READ(to, from) __VERIFIER_atomic_begin(); to = from; __VERIFIER_atomic_end()
#define WRITE(to, value) __VERIFIER_atomic_begin(); to = value; __VERIFIER_atomic_end()

int flag1, flag2;
int inside;

static void *first(void *unused)
{
    int other;
    WRITE(flag1, 1);
    READ(other, flag2);
    while (other >= 3) {
        READ(other, flag2);
    }
    WRITE(flag1, 3);
    READ(other, flag2);
    if (other == 1) {
        WRITE(flag1, 2);
        READ(other, flag2);
        while (other != 4) {
            READ(other, flag2);
        }
    }
    WRITE(flag1, 4);
    READ(other, flag2);
    while (other >= 2) {
        READ(other, flag2);
    }
    inside++;
    if (inside != 1) {
    ERROR:
        return unused;
    }
    inside--;
    WRITE(flag1, 0);
    return unused;
}

static void *second(void *unused)
{
    int other;
    WRITE(flag2, 1);
#ifndef WRONG
    READ(other, flag1);
    while (other >= 3) {
        READ(other, flag1);
    }
    WRITE(flag2, 3);
    READ(other, flag1);
    if (other == 1) {
        WRITE(flag2, 2);
        READ(other, flag1);
        while (other != 4) {
            READ(other, flag1);
        }
    }
    WRITE(flag2, 4);
#endif
    READ(other, flag1);
    while (2 <= other && other <= 3) {
        READ(other, flag1);
    }
    inside++;
    inside--;
    WRITE(flag2, 0);
    return unused;
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
