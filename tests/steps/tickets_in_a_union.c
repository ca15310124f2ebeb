#include <pthread.h>
union lock { struct { unsigned char head, tail; } t; unsigned short both; };
static union lock l;
int in0, in1;
static void take(void) {
    unsigned short old = __atomic_fetch_add(&l.both, 0x100, __ATOMIC_SEQ_CST);
    unsigned char mine = old >> 8;
#ifndef WRONG
    while (__atomic_load_n(&l.t.head, __ATOMIC_SEQ_CST) != mine) ;
#endif
}
static void give(void) { __atomic_fetch_add(&l.t.head, 1, __ATOMIC_SEQ_CST); }
static void *first(void *u) { for (;;) { take(); in0 = 1; in0 = 0; give(); } return u; }
static void *second(void *u) { for (;;) { take(); in1 = 1; in1 = 0; give(); } return u; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, first, 0); pthread_create(&b, 0, second, 0); pthread_join(a, 0); return 0; }
