/* The queue of Michael and Scott, with a node that is always there.
 * WRONG: the tail is moved with a plain write, and a node is linked without compare-and-swap. */
#include <stdlib.h>
#include <pthread.h>
#include <stdatomic.h>

extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
void reach_error(void) { __assert_fail("0", "msqueue.c", 0, "reach_error"); }
void __VERIFIER_assert(int cond) { if (!cond) { reach_error(); abort(); } }

struct node {
    int value;
    struct node *_Atomic next;
};

struct queue {
    struct node *_Atomic head;
    struct node *_Atomic tail;
};

static struct queue q;

static struct node *new_node(int value)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        abort();
    n->value = value;
    n->next = 0;
    return n;
}

static void init(struct queue *queue)
{
    struct node *dummy = new_node(0);
    queue->head = dummy;
    queue->tail = dummy;
}

static void enqueue(struct queue *queue, int value)
{
    struct node *n = new_node(value);
    for (;;) {
        struct node *tail = queue->tail;
        struct node *next = tail->next;
        if (tail != queue->tail)
            continue;
        if (next == 0) {
#ifdef WRONG
            tail->next = n;
            queue->tail = n;
            return;
#else
            if (atomic_compare_exchange_strong(&tail->next, &next, n)) {
                atomic_compare_exchange_strong(&queue->tail, &tail, n);
                return;
            }
#endif
        } else
            atomic_compare_exchange_strong(&queue->tail, &tail, next);
    }
}

static int dequeue(struct queue *queue, int *value)
{
    for (;;) {
        struct node *head = queue->head;
        struct node *tail = queue->tail;
        struct node *next = head->next;
        if (head != queue->head)
            continue;
        if (head == tail) {
            if (next == 0)
                return 0;
            atomic_compare_exchange_strong(&queue->tail, &tail, next);
        } else {
            *value = next->value;
            if (atomic_compare_exchange_strong(&queue->head, &head, next))
                return 1;
        }
    }
}

static void *producer(void *arg)
{
    enqueue(&q, (int)(long)arg);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    int v, n = 0, sum = 0;
    init(&q);
    pthread_create(&a, 0, producer, (void *)1);
    pthread_create(&b, 0, producer, (void *)2);
    pthread_join(a, 0);
    pthread_join(b, 0);
    while (dequeue(&q, &v)) {
        n++;
        sum += v;
    }
    __VERIFIER_assert(n == 2);
    __VERIFIER_assert(sum == 3);
    return 0;
}
