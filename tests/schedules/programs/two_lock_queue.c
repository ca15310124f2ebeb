/* A linked queue with a lock for its head and another for its tail, and a dummy node between them.
 * WRONG: the consumer returns the value of the dummy, not that of the node behind it. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct cell {
    int value;
    struct cell *next;
};

static struct cell *head, *tail;
static pthread_mutex_t at_head = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t at_tail = PTHREAD_MUTEX_INITIALIZER;

static struct cell *fresh(int value)
{
    struct cell *c = malloc(sizeof *c);
    if (!c)
        abort();
    c->value = value;
    c->next = 0;
    return c;
}

static void *enqueue(void *value)
{
    struct cell *c = fresh((int)(long)value);
    pthread_mutex_lock(&at_tail);
    tail->next = c;
    tail = c;
    pthread_mutex_unlock(&at_tail);
    return 0;
}

static void *dequeue(void *unused)
{
    pthread_mutex_lock(&at_head);
    struct cell *first = head;
    struct cell *second = first->next;
    if (second) {
#ifdef WRONG
        assert(first->value > 0);
#else
        assert(second->value > 0);
#endif
        head = second;
    }
    pthread_mutex_unlock(&at_head);
    return unused;
}

int main(void)
{
    pthread_t producer, consumer, other;
    head = tail = fresh(0);
    pthread_create(&producer, 0, enqueue, (void *)3L);
    pthread_create(&consumer, 0, dequeue, 0);
    pthread_create(&other, 0, enqueue, (void *)4L);
    pthread_join(producer, 0);
    pthread_join(consumer, 0);
    pthread_join(other, 0);
    return 0;
}
