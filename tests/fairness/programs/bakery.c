/* The bakery of two (Lamport 1974): who has drawn a number is served before who draws one later. */
#include <pthread.h>

_Bool asks, in;
_Bool draws_first, draws_second;
unsigned number_first, number_second;

void *first(void *argument)
{
    while (1) {
        asks = 1;
        draws_first = 1;
        number_first = number_second + 1;
        draws_first = 0;
        while (draws_second)
            ;
        while (number_second != 0 && number_second < number_first)
            ;
        in = 1;
        asks = 0;
        in = 0;
        number_first = 0;
    }
    return argument;
}

void *second(void *argument)
{
    while (1) {
        draws_second = 1;
        number_second = number_first + 1;
        draws_second = 0;
        while (draws_first)
            ;
        while (number_first != 0 && number_first <= number_second)
            ;
        number_second = 0;
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
