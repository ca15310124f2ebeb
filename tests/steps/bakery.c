/* Lamport's bakery for two customers. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#define N 2
atomic_bool choosing[N];
atomic_int number[N];
int in_cs[N], wants[N];
static int max_number(void)
{
    int m = 0;
    for (int i = 0; i < N; i++) {
        int k = number[i];
        if (k > m) m = k;
    }
    return m;
}
static void lock(int me)
{
#ifndef WRONG
    choosing[me] = 1;
#endif
    number[me] = 1 + max_number();
    choosing[me] = 0;
    for (int j = 0; j < N; j++) {
        if (j == me) continue;
        while (choosing[j]) { }
        while (number[j] != 0 && (number[j] < number[me] || (number[j] == number[me] && j < me))) { }
    }
}
static void unlock(int me) { number[me] = 0; }
static void *customer(void *arg)
{
    int me = (int)(intptr_t)arg;
    for (;;) {
        wants[me] = 1;
        lock(me);
        wants[me] = 0;
        in_cs[me] = 1;
        in_cs[me] = 0;
        unlock(me);
    }
    return 0;
}
int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++) pthread_create(&t[i], 0, customer, (void *)(intptr_t)i);
    for (int i = 0; i < N; i++) pthread_join(t[i], 0);
    return 0;
}
