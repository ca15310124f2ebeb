/* Two counters chase each other: each becomes the other one plus one.
 * WRONG: the bound that is checked is reached when the threads take turns. */
#include <pthread.h>

#define TURNS 3
#ifdef WRONG
#define BOUND (2 * TURNS)
#else
#define BOUND (2 * TURNS + 1)
#endif

int first = 0, second = 1;

extern void __VERIFIER_error(void);

static void *chase_first(void *unused)
{
    int n;
    for (n = 0; n < TURNS; n++)
        first = second + 1;
    return unused;
}

static void *chase_second(void *unused)
{
    int n;
    for (n = 0; n < TURNS; n++)
        second = first + 1;
    return unused;
}

static void check(void)
{
    int a = first, b = second;
    if (a > BOUND || b > BOUND)
        goto ERROR;
    return;
ERROR:
    __VERIFIER_error();
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, chase_first, 0);
    pthread_create(&b, 0, chase_second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    check();
    return 0;
}
