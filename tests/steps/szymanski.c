#include <pthread.h>
#include <stdatomic.h>
atomic_int flag0, flag1;
int in0, in1, asks0;
static void *first(void *u) { int f; for (;;) {
    asks0 = 1;
    flag0 = 1;
    while (flag1 >= 3) ;
    flag0 = 3;
    if (flag1 == 1) { flag0 = 2; while (flag1 != 4) ; }
    flag0 = 4;
    /* waits for lower ones: none */
    in0 = 1; asks0 = 0; in0 = 0;
    while ((f = flag1) == 2 || f == 3) ;
    flag0 = 0;
} return u; }
static void *second(void *u) { for (;;) {
    flag1 = 1;
    while (flag0 >= 3) ;
    flag1 = 3;
    if (flag0 == 1) { flag1 = 2; while (flag0 != 4) ; }
    flag1 = 4;
#ifndef WRONG
    while (flag0 >= 2) ;
#endif
    in1 = 1; in1 = 0;
    flag1 = 0;
} return u; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, first, 0); pthread_create(&b, 0, second, 0); pthread_join(a, 0); return 0; }
