/* Michael and Scott's queue on a pool of nodes; indices carry a tag against reuse. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#define POOL 3
#define NIL 3
typedef struct { uint8_t index; uint8_t tag; } ref_t;
typedef struct { unsigned char value; _Atomic ref_t next; } node_t;
static node_t pool[POOL];
static atomic_bool used[POOL];
static _Atomic ref_t head, tail;
unsigned char got; int wrong, received;
#ifdef WRONG
#define TAG(x) 0
#else
#define TAG(x) (((x) + 1) & 3)
#endif
static uint8_t take_node(void)
{
    for (;;)
        for (uint8_t i = 0; i < POOL; i++) {
            bool expected = false;
            if (atomic_compare_exchange_strong(&used[i], &expected, true)) return i;
        }
}
static void enqueue(unsigned char value)
{
    uint8_t n = take_node();
    pool[n].value = value;
    ref_t old = atomic_load(&pool[n].next);
    atomic_store(&pool[n].next, ((ref_t){ NIL, TAG(old.tag) }));
    for (;;) {
        ref_t t = atomic_load(&tail);
        ref_t next = atomic_load(&pool[t.index].next);
        if (next.index == NIL) {
            ref_t mine = { n, TAG(next.tag) };
            if (atomic_compare_exchange_strong(&pool[t.index].next, &next, mine)) {
                ref_t end = { n, TAG(t.tag) };
                atomic_compare_exchange_strong(&tail, &t, end);
                return;
            }
        } else {
            ref_t end = { next.index, TAG(t.tag) };
            atomic_compare_exchange_strong(&tail, &t, end);
        }
    }
}
static bool dequeue(unsigned char *value)
{
    for (;;) {
        ref_t h = atomic_load(&head);
        ref_t t = atomic_load(&tail);
        ref_t next = atomic_load(&pool[h.index].next);
        if (h.index == t.index) {
            if (next.index == NIL) return false;
            ref_t end = { next.index, TAG(t.tag) };
            atomic_compare_exchange_strong(&tail, &t, end);
        } else if (next.index != NIL) {
            *value = pool[next.index].value;
            ref_t first = { next.index, TAG(h.tag) };
            if (atomic_compare_exchange_strong(&head, &h, first)) {
                atomic_store(&used[h.index], false);
                return true;
            }
        }
    }
}
static void *producer(void *arg)
{
    unsigned char v = 0;
    for (;;) { enqueue(v); v = !v; }
    return arg;
}
static void *consumer(void *arg)
{
    for (;;) {
        unsigned char v;
        if (dequeue(&v)) {
            if (v != got) wrong = 1;
            got = !got;
            received = 1; received = 0;
        }
    }
    return arg;
}
int main(void)
{
    pthread_t p, c;
    used[0] = true;
    atomic_store(&pool[0].next, ((ref_t){ NIL, 0 }));
    pthread_create(&p, 0, producer, 0);
    pthread_create(&c, 0, consumer, 0);
    pthread_join(p, 0);
    pthread_join(c, 0);
}
