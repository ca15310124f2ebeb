#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next, serving;

static unsigned draw(void)
{
    unsigned ticket = next;
    while (!atomic_compare_exchange_strong(&next, &ticket, (ticket + 1) % 4))
        ;
    return ticket;
}

int in0, in1, asks0;

static void *first(void *argument)
{
    while (1) {
        asks0 = 1;
        unsigned ticket = draw();
        while (serving != ticket)
            ;
        asks0 = 0;
        in0 = 1;
        in0 = 0;
        serving = (serving + 1) % 4;
    }
    return argument;
}

static void *second(void *argument)
{
    while (1) {
        unsigned ticket = draw();
#ifndef WRONG
        while (serving != ticket)
            ;
#endif
        in1 = 1;
        in1 = 0;
        serving = (serving + 1) % 4;
    }
    return argument;
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
