#include <stdatomic.h>
#include <stdbool.h>
#include <threads.h>
/* Michael & Scott over a pool of nodes with counted pointers packed in one word */
#define NODES 3
struct node { atomic_uint next; int value; };
static struct node pool[NODES];
static atomic_uint head, tail;
static atomic_int used[NODES];
int got, wrong_value, sent;
#define IDX(p) ((p) & 0xf)
#define CNT(p) ((p) >> 4)
#define MK(i, c) ((unsigned)(i) | ((((unsigned)(c)) & 3u) << 4))
#define NIL 0xf

static int new_node(void)
{
    for (;;)
        for (int i = 0; i < NODES; i++) {
            int f = 0;
            if (atomic_compare_exchange_strong(&used[i], &f, 1)) return i;
        }
}
static void free_node(int i) { atomic_store(&used[i], 0); }

static void enqueue(int v)
{
    int n = new_node();
    pool[n].value = v;
    atomic_store(&pool[n].next, MK(NIL, CNT(atomic_load(&pool[n].next)) + 1));
    for (;;) {
        unsigned t = atomic_load(&tail);
        unsigned next = atomic_load(&pool[IDX(t)].next);
        if (t == atomic_load(&tail)) {
            if (IDX(next) == NIL) {
                if (atomic_compare_exchange_strong(&pool[IDX(t)].next, &next, MK(n, CNT(next) + 1))) {
                    atomic_compare_exchange_strong(&tail, &t, MK(n, CNT(t) + 1));
                    return;
                }
            } else {
                atomic_compare_exchange_strong(&tail, &t, MK(IDX(next), CNT(t) + 1));
            }
        }
    }
}
static bool dequeue(int *out)
{
    for (;;) {
        unsigned h = atomic_load(&head);
        unsigned t = atomic_load(&tail);
        unsigned next = atomic_load(&pool[IDX(h)].next);
        if (h == atomic_load(&head)) {
            if (IDX(h) == IDX(t)) {
                if (IDX(next) == NIL) return false;
                atomic_compare_exchange_strong(&tail, &t, MK(IDX(next), CNT(t) + 1));
            } else {
#ifdef WRONG
                *out = pool[IDX(h)].value;
#else
                *out = pool[IDX(next)].value;
#endif
                if (atomic_compare_exchange_strong(&head, &h, MK(IDX(next), CNT(h) + 1))) {
                    free_node(IDX(h));
                    return true;
                }
            }
        }
    }
}
static int producer(void *p)
{
    for (;;) { enqueue(1); enqueue(2); sent = 1; sent = 0; }
    return 0;
}
static int consumer(void *p)
{
    int want = 1;
    for (;;) {
        int v = 0;
        if (dequeue(&v)) {
            if (v != want) wrong_value = 1;
            want = 3 - want;
            got = 1;
            got = 0;
        }
    }
    return 0;
}
int main(void)
{
    thrd_t a, b;
    used[0] = 1;
    pool[0].next = MK(NIL, 0);
    head = tail = MK(0, 0);
    thrd_create(&a, producer, 0);
    thrd_create(&b, consumer, 0);
    thrd_join(a, 0);
    thrd_join(b, 0);
}
