/* A ring buffer in a struct on the heap, one producer, one consumer, positions published in order.
 * WRONG: the position is published before the item. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#define CAPACITY 2u

typedef struct {
    uint32_t *items;
    volatile uint32_t head;
    volatile uint32_t tail;
} ring_t;

static int ring_put(ring_t *r, uint32_t item)
{
    uint32_t head = r->head;
    if (head - r->tail == CAPACITY)
        return 0;
#ifdef WRONG
    r->head = head + 1;
    r->items[head % CAPACITY] = item;
#else
    r->items[head % CAPACITY] = item;
    r->head = head + 1;
#endif
    return 1;
}

static int ring_get(ring_t *r, uint32_t *item)
{
    uint32_t tail = r->tail;
    if (tail == r->head)
        return 0;
    *item = r->items[tail % CAPACITY];
    r->tail = tail + 1;
    return 1;
}

static void *produce(void *arg)
{
    ring_t *r = arg;
    uint32_t i = 1;
    while (i <= 3)
        if (ring_put(r, i))
            i++;
    return NULL;
}

static void *consume(void *arg)
{
    ring_t *r = arg;
    uint32_t last = 0, item;
    while (last < 3) {
        if (!ring_get(r, &item))
            continue;
        assert(item == last + 1);
        last = item;
    }
    return NULL;
}

int main(void)
{
    pthread_t p, c;
    ring_t *r = malloc(sizeof *r);
    if (!r)
        return 1;
    r->items = calloc(CAPACITY, sizeof *r->items);
    if (!r->items) {
        free(r);
        return 1;
    }
    r->head = r->tail = 0;
    pthread_create(&p, NULL, produce, r);
    pthread_create(&c, NULL, consume, r);
    pthread_join(p, NULL);
    pthread_join(c, NULL);
    assert(r->head == 3 && r->tail == 3);
    free(r->items);
    free(r);
    return 0;
}
