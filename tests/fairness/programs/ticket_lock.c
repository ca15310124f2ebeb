/* A lock with tickets (Mellor-Crummey and Scott 1991): served in the order of asking. */
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

_Bool asks, in;
unsigned next, served;

void *first(void *argument)
{
    unsigned own;
    while (1) {
        asks = 1;
        __VERIFIER_atomic_begin();
        own = next;
        next = (next + 1) % 3;
        __VERIFIER_atomic_end();
        while (served != own)
            ;
        in = 1;
        asks = 0;
        in = 0;
        served = (own + 1) % 3;
    }
    return argument;
}

void *second(void *argument)
{
    unsigned own;
    while (1) {
        __VERIFIER_atomic_begin();
        own = next;
        next = (next + 1) % 3;
        __VERIFIER_atomic_end();
        while (served != own)
            ;
        served = (own + 1) % 3;
    }
    return argument;
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
