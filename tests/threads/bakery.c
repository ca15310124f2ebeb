/* Lamport's bakery: each thread draws a number and waits for those with a smaller one. With RACE, nobody says that it is
   drawing. */
#include <pthread.h>

#define N 2

int choosing[N], number[N], inside[N];
int want, have;

void *customer(void *arg)
{
    int me = (int)(long)arg, greatest = 0;
    if (me == 0)
        want = 1;
#if !defined RACE
    choosing[me] = 1;
#endif
    for (int i = 0; i < N; i++)
        if (number[i] > greatest)
            greatest = number[i];
    number[me] = greatest + 1;
    choosing[me] = 0;
    for (int i = 0; i < N; i++) {
        while (choosing[i])
            ;
        while (number[i] != 0 && (number[i] < number[me] || (number[i] == number[me] && i < me)))
            ;
    }
    if (me == 0)
        have = 1;
    inside[me] = 1;
    inside[me] = 0;
#if defined KEPT
    if (me == 0)
#endif
    number[me] = 0;
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], NULL, customer, (void *)(long)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
