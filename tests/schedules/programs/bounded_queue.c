/* A bounded queue in allocated memory with a mutex and two condition variables.
 * WRONG: a consumer that was woken does not look again whether there is an item. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define ITEMS 2

struct queue {
    int *items;
    int head, count;
    pthread_mutex_t lock;
    pthread_cond_t not_empty, not_full;
};

static struct queue *q;

static void put(int item)
{
    pthread_mutex_lock(&q->lock);
    while (q->count == ITEMS)
        pthread_cond_wait(&q->not_full, &q->lock);
    q->items[(q->head + q->count) % ITEMS] = item;
    q->count++;
    pthread_cond_signal(&q->not_empty);
    pthread_mutex_unlock(&q->lock);
}

static int get(void)
{
    int item;
    pthread_mutex_lock(&q->lock);
#ifdef WRONG
    if (q->count == 0)
#else
    while (q->count == 0)
#endif
        pthread_cond_wait(&q->not_empty, &q->lock);
    item = q->items[q->head];
    q->head = (q->head + 1) % ITEMS;
    q->count--;
    assert(q->count >= 0);
    pthread_cond_signal(&q->not_full);
    pthread_mutex_unlock(&q->lock);
    return item;
}

static void *producer(void *unused)
{
    int i;
    for (i = 0; i < ITEMS; i++)
        put(i);
    return unused;
}

static void *consumer(void *unused)
{
    get();
    return unused;
}

int main(void)
{
    pthread_t p, c, d;
    q = malloc(sizeof *q);
    if (!q || !(q->items = malloc(ITEMS * sizeof(int))))
        return 1;
    q->head = q->count = 0;
    pthread_mutex_init(&q->lock, 0);
    pthread_cond_init(&q->not_empty, 0);
    pthread_cond_init(&q->not_full, 0);
    pthread_create(&p, 0, producer, 0);
    pthread_create(&c, 0, consumer, 0);
    pthread_create(&d, 0, consumer, 0);
    pthread_join(p, 0);
    pthread_join(c, 0);
    pthread_join(d, 0);
    return 0;
}
