/* A sorted list whose nodes have a lock each: who inserts holds two neighbours. WRONG: nobody locks. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    int key;
    struct node *next;
    pthread_mutex_t lock;
};

static struct node last = {1000, 0, PTHREAD_MUTEX_INITIALIZER};
static struct node first = {-1000, &last, PTHREAD_MUTEX_INITIALIZER};

static void holds(struct node *node)
{
#ifndef WRONG
    pthread_mutex_lock(&node->lock);
#endif
}

static void releases(struct node *node)
{
#ifndef WRONG
    pthread_mutex_unlock(&node->lock);
#endif
}

static void *inserts(void *argument)
{
    struct node *made = malloc(sizeof *made);
    made->key = (int)(long)argument;
    pthread_mutex_init(&made->lock, 0);
    struct node *before = &first;
    holds(before);
    struct node *behind = before->next;
    holds(behind);
    while (behind->key < made->key) {
        releases(before);
        before = behind;
        behind = behind->next;
        holds(behind);
    }
    made->next = behind;
    before->next = made;
    releases(behind);
    releases(before);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, inserts, (void *)5);
    pthread_create(&b, 0, inserts, (void *)7);
    pthread_join(a, 0);
    pthread_join(b, 0);
    int count = 0, key = -1000;
    for (struct node *node = first.next; node != &last; node = node->next) {
        assert(node->key > key);
        key = node->key;
        count++;
    }
    assert(count == 2);
    return 0;
}
