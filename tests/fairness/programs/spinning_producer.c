/* A producer that waits by spinning until its item is taken. */
#include <pthread.h>

_Bool full, eats;

void *first(void *argument)
{
    while (1) {
        while (full)
            ;
        full = 1;
    }
    return argument;
}

void *second(void *argument)
{
    while (1) {
        while (!full)
            ;
        eats = 1;
        full = 0;
        eats = 0;
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
