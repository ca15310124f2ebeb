#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
typedef enum { NONCRITICAL, REQUEST, WAITING, READY, CRITICAL } state_t;
static _Atomic state_t flag[2];
int crit0, crit1, req0;
static void protocol_enter(int p)
{
    int q = !p;
    flag[p] = REQUEST;
    while (flag[q] >= READY) ;
    flag[p] = READY;
#ifndef WRONG
    if (flag[q] == REQUEST) {
        flag[p] = WAITING;
        while (flag[q] != CRITICAL) ;
    }
#endif
    flag[p] = CRITICAL;
    if (p == 1) while (flag[0] > REQUEST) ;
}
static void protocol_leave(int p)
{
    int q = !p;
    if (p == 0) while (flag[q] == WAITING || flag[q] == READY) ;
    flag[p] = NONCRITICAL;
}
static void *p0(void *x)
{
    for (;;) {
        req0 = 1;
        protocol_enter(0);
        req0 = 0; crit0 = 1;
        printf("zero\n");
        crit0 = 0;
        protocol_leave(0);
    }
    return x;
}
static void *p1(void *x)
{
    for (;;) {
        protocol_enter(1);
        crit1 = 1;
        printf("one\n");
        crit1 = 0;
        protocol_leave(1);
    }
    return x;
}
int main(void)
{
    pthread_t a, b;
    if (pthread_create(&a, NULL, p0, NULL) != 0) return 1;
    if (pthread_create(&b, NULL, p1, NULL) != 0) return 1;
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
