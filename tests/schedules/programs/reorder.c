/* Setters write two values, checkers must see both or none.
 * WRONG: the setters' writes are no atomic section. */
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int a, b;

void reach_error(void)
{
ERROR:
    return;
}

static void *set(void *unused)
{
#ifndef WRONG
    __VERIFIER_atomic_begin();
#endif
    a = 1;
    b = -1;
#ifndef WRONG
    __VERIFIER_atomic_end();
#endif
    return unused;
}

static void *check(void *unused)
{
    int fine;
    __VERIFIER_atomic_begin();
    fine = (a == 0 && b == 0) || (a == 1 && b == -1);
    __VERIFIER_atomic_end();
    if (!fine)
        reach_error();
    return unused;
}

int main(void)
{
    pthread_t setters[2], checkers[2];
    int i;
    for (i = 0; i < 2; i++)
        pthread_create(&setters[i], 0, set, 0);
    for (i = 0; i < 2; i++)
        pthread_create(&checkers[i], 0, check, 0);
    for (i = 0; i < 2; i++)
        pthread_join(setters[i], 0);
    for (i = 0; i < 2; i++)
        pthread_join(checkers[i], 0);
    return 0;
}
