#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
typedef struct { atomic_uint seq; atomic_int lo, hi; } seqlock_t;
static seqlock_t clk;
static pthread_mutex_t wlock = PTHREAD_MUTEX_INITIALIZER;
int torn, updates_done, snapshots;
static void seq_write(int lo, int hi)
{
#ifndef WRONG
    pthread_mutex_lock(&wlock);
#endif
    atomic_fetch_add(&clk.seq, 1);
    atomic_store(&clk.lo, lo);
    atomic_store(&clk.hi, hi);
    atomic_fetch_add(&clk.seq, 1);
#ifndef WRONG
    pthread_mutex_unlock(&wlock);
#endif
}
static void seq_read(int *lo, int *hi)
{
    unsigned s;
    for (;;) {
        s = atomic_load(&clk.seq);
        if (s & 1u) continue;
        *lo = atomic_load(&clk.lo);
        *hi = atomic_load(&clk.hi);
        if (s == atomic_load(&clk.seq)) return;
    }
}
static void *writer(void *arg)
{
    int base = arg ? 10 : 20;
    for (int i = 0; i < 2; i++) seq_write(base + i, base + i);
    updates_done = 1;
    return NULL;
}
static void *reader(void *arg)
{
    (void)arg;
    while (1) {
        int a, b;
        seq_read(&a, &b);
        if (a != b) torn = 1;
        snapshots = 1; snapshots = 0;
    }
    return NULL;
}
int main(void)
{
    pthread_t w1, w2, r;
    pthread_create(&w1, NULL, writer, NULL);
    pthread_create(&w2, NULL, writer, &clk);
    pthread_create(&r, NULL, reader, NULL);
    pthread_join(w1, NULL); pthread_join(w2, NULL); pthread_join(r, NULL);
    return 0;
}
