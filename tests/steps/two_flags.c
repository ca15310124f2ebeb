#include <pthread.h>
#include <stdatomic.h>

/* The two flags are set at no time together, but the loop reads one after the other. */
static atomic_int a, b;
int done;

static void *waits(void *argument)
{
    while (!a || !b)
        ;
    done = 1;
    return argument;
}

static void *sets(void *argument)
{
    a = 1;
    a = 0;
#ifdef WRONG
    b = 1;
#endif
    return argument;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, NULL, waits, NULL);
    pthread_create(&u, NULL, sets, NULL);
    pthread_join(t, NULL);
    return 0;
}
