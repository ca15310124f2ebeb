#include <pthread.h>
#include <stdatomic.h>
static atomic_uint seq;
static atomic_int x, y;
int torn, reads;
static void *writer(void *a)
{
    int v = 0;
    for (;;) {
        unsigned s = seq;
        seq = (s + 1) & 7;
        x = v;
        y = v;
#ifndef WRONG
        seq = (s + 2) & 7;
#else
        seq = s;
#endif
        v = (v + 1) % 3;
    }
    return a;
}
static void *reader(void *a)
{
    for (;;) {
        unsigned before, after; int p, q;
        do {
            while ((before = seq) & 1) { }
            p = x;
            q = y;
            after = seq;
        } while (before != after);
        if (p != q) torn = 1;
        reads = 1; reads = 0;
    }
    return a;
}
int main(void) { pthread_t a, b; pthread_create(&a, 0, writer, 0); pthread_create(&b, 0, reader, 0); pthread_join(a, 0); pthread_join(b, 0); return 0; }
