/* A token goes round from station to station; each passes it on when it has it.
 * WRONG: one station passes on what it does not have. */
#include <pthread.h>

#define STATIONS 3

int token[STATIONS] = {1, 0, 0};

static void pass(int from)
{
    __atomic_store_n(&token[from], 0, __ATOMIC_SEQ_CST);
    __atomic_store_n(&token[(from + 1) % STATIONS], 1, __ATOMIC_SEQ_CST);
}

static void *first(void *unused)
{
    while (!token[0])
        ;
    pass(0);
    return unused;
}

static void *second(void *unused)
{
#ifndef WRONG
    while (!token[1])
        ;
#endif
    pass(1);
    return unused;
}

static void *third(void *unused)
{
    while (!token[2])
        ;
    pass(2);
    return unused;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_create(&c, 0, third, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
