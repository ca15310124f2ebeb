/* Michael and Scott's queue on a pool of nodes, two producers of one value each, a consumer. */
#include <pthread.h>
#include <stdatomic.h>
struct node { int value; atomic_int next; };
struct node pool[3] = { { 0, -1 }, { 0, -1 }, { 0, -1 } };
atomic_int head, tail;
int got, bad, done;
static void enqueue(int n, int v)
{
    pool[n].value = v;
    for (;;) {
        int t = tail;
        int next = pool[t].next;
        if (next < 0) {
            int none = -1;
#ifdef WRONG
            pool[t].next = n; tail = n; return;
#else
            if (atomic_compare_exchange_strong(&pool[t].next, &none, n)) {
                atomic_compare_exchange_strong(&tail, &t, n);
                return;
            }
#endif
        } else
            atomic_compare_exchange_strong(&tail, &t, next);
    }
}
static int dequeue(void)
{
    for (;;) {
        int h = head, t = tail, next = pool[h].next;
        if (h == t) {
            if (next < 0) return 0;
            atomic_compare_exchange_strong(&tail, &t, next);
        } else {
            int v = pool[next].value;
            if (atomic_compare_exchange_strong(&head, &h, next)) return v;
        }
    }
}
static void *one(void *u) { enqueue(1, 1); return u; }
static void *two(void *u) { enqueue(2, 2); return u; }
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    while (got != 3) { int v = dequeue(); got += v; }
    done = 1;
    pthread_join(a, 0); pthread_join(b, 0);
    return 0;
}
