/* An elevator and a person who calls it from any floor, both under one mutex. With -DSTUCK it never gets above floor 1. */
#include <pthread.h>
int at, called = -1;
_Bool asks;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int nondet_int(void);
void *person(void *argument)
{
    while (1) {
        pthread_mutex_lock(&m);
        if (called < 0) { int f = nondet_int(); if (f >= 0 && f < 3) { called = f; asks = 1; } }
        pthread_mutex_unlock(&m);
    }
    return argument;
}
void *car(void *argument)
{
    while (1) {
        pthread_mutex_lock(&m);
        if (called >= 0) {
#ifdef STUCK
            if (called > at) { if (at < 1) at++; }
#else
            if (called > at) at++;
#endif
            else if (called < at) at--;
            else { called = -1; asks = 0; }
        }
        pthread_mutex_unlock(&m);
    }
    return argument;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, person, 0);
    pthread_create(&b, 0, car, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
