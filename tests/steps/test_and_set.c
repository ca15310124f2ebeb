#include <pthread.h>
#include <stdatomic.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
int in0, in1;

static void *first(void *argument)
{
    while (1) {
#ifndef WRONG
        while (atomic_flag_test_and_set(&lock))
            ;
#endif
        in0 = 1;
        in0 = 0;
        atomic_flag_clear(&lock);
    }
    return argument;
}

static void *second(void *argument)
{
    while (1) {
        while (atomic_flag_test_and_set(&lock))
            ;
        in1 = 1;
        in1 = 0;
        atomic_flag_clear(&lock);
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
