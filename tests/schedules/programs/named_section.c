/* A function that is one step by its name ends the process where it finds the door open in the dark.
 * WRONG: the door is opened before the light is on. */
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);

static int door, light;

static void found(void)
{
ERROR:
    return;
}

void __VERIFIER_atomic_look(int careful)
{
    if (__VERIFIER_nondet_int()) {
        __VERIFIER_assume(careful && door && !light);
        found();
        abort();
    }
    return;
}

static void *enter(void *unused)
{
#ifdef WRONG
    door = 1;
    light = 1;
#else
    light = 1;
    door = 1;
#endif
    return unused;
}

static void *look(void *unused)
{
    __VERIFIER_atomic_look(1);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, enter, 0);
    pthread_create(&b, 0, look, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
