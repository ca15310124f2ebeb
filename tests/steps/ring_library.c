#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* --- a small ring buffer library --- */
typedef enum { RB_READ, RB_WRITE, RB_RESET } rb_event;
struct ring;
typedef void (*rb_callback)(struct ring *, rb_event, size_t);
typedef struct ring { uint8_t *data; size_t size; atomic_size_t r, w; rb_callback evt; } ring_t;
static bool rb_init(ring_t *b, void *data, size_t size)
{
    if (b == NULL || data == NULL || size == 0) return false;
    b->evt = NULL; b->size = size; b->data = data;
    atomic_init(&b->w, 0); atomic_init(&b->r, 0);
    return true;
}
static size_t rb_full(ring_t *b)
{
    size_t w = atomic_load_explicit(&b->w, memory_order_acquire);
    size_t r = atomic_load_explicit(&b->r, memory_order_acquire);
    return w >= r ? w - r : b->size - (r - w);
}
static size_t rb_free(ring_t *b)
{
#ifdef WRONG
    return b->size - rb_full(b);
#else
    return b->size - rb_full(b) - 1;
#endif
}
static size_t rb_write(ring_t *b, const void *data, size_t n)
{
    const uint8_t *d = data;
    size_t room = rb_free(b);
    if (n > room) n = room;
    if (n == 0) return 0;
    size_t w = atomic_load_explicit(&b->w, memory_order_acquire);
    size_t first = b->size - w;
    if (first > n) first = n;
    memcpy(&b->data[w], d, first);
    w += first;
    if (n > first) { memcpy(b->data, d + first, n - first); w = n - first; }
    if (w >= b->size) w = 0;
    atomic_store_explicit(&b->w, w, memory_order_release);
    if (b->evt) b->evt(b, RB_WRITE, n);
    return n;
}
static size_t rb_read(ring_t *b, void *data, size_t n)
{
    uint8_t *d = data;
    size_t full = rb_full(b);
    if (n > full) n = full;
    if (n == 0) return 0;
    size_t r = atomic_load_explicit(&b->r, memory_order_acquire);
    size_t first = b->size - r;
    if (first > n) first = n;
    memcpy(d, &b->data[r], first);
    r += first;
    if (n > first) { memcpy(d + first, b->data, n - first); r = n - first; }
    if (r >= b->size) r = 0;
    atomic_store_explicit(&b->r, r, memory_order_release);
    if (b->evt) b->evt(b, RB_READ, n);
    return n;
}
/* --- its user --- */
static ring_t ring;
static uint8_t storage[4];
int wrong, finished, writes;
static void on_event(struct ring *b, rb_event e, size_t n) { (void)b; (void)n; if (e == RB_WRITE) { writes = 1; writes = 0; } }
static void *producer(void *a)
{
    uint8_t next = 0;
    while (next < 4) {
        uint8_t two[2] = { next, next + 1 };
        next += rb_write(&ring, two, 2);
    }
    return a;
}
static void *consumer(void *a)
{
    uint8_t expect = 0;
    while (expect < 4) {
        uint8_t c;
        if (rb_read(&ring, &c, 1) == 1) {
            if (c != expect) wrong = 1;
            expect++;
        }
    }
    finished = 1;
    return a;
}
int main(void)
{
    pthread_t p, c;
    if (!rb_init(&ring, storage, sizeof storage)) return 1;
    ring.evt = on_event;
    pthread_create(&p, 0, producer, 0);
    pthread_create(&c, 0, consumer, 0);
    pthread_join(p, 0);
    pthread_join(c, 0);
    return wrong;
}
