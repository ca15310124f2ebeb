/* A lock by test and set: whoever comes at the right time gets it. Who waits again and again loses every
   race, which strong fairness excludes. */
#include <pthread.h>
#include <stdatomic.h>

_Bool asks, in;
atomic_flag lock = ATOMIC_FLAG_INIT;

void *first(void *argument)
{
    while (1) {
        asks = 1;
        while (atomic_flag_test_and_set(&lock))
            ;
        in = 1;
        asks = 0;
        in = 0;
        atomic_flag_clear(&lock);
    }
    return argument;
}

void *second(void *argument)
{
    while (1) {
        while (atomic_flag_test_and_set(&lock))
            ;
        atomic_flag_clear(&lock);
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
