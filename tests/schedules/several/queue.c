/* The queue. WRONG: a consumer that was woken does not look again whether there is an item. */
#include "queue.h"
#include <assert.h>
#include <stdlib.h>
static int step;
static int run(void)
{
    int item = queue.items[queue.head];
    queue.head = (queue.head + 1) % ITEMS;
    queue.count--;
    assert(queue.count >= 0);
    step++;
    return item;
}
void put(int item)
{
    pthread_mutex_lock(&queue.lock);
    while (queue.count == ITEMS)
        pthread_cond_wait(&queue.changed, &queue.lock);
    queue.items[(queue.head + queue.count) % ITEMS] = item;
    queue.count++;
    pthread_cond_broadcast(&queue.changed);
    pthread_mutex_unlock(&queue.lock);
}
void *consumer(void *unused)
{
    pthread_mutex_lock(&queue.lock);
#ifdef WRONG
    if (queue.count == 0)
#else
    while (queue.count == 0)
#endif
        pthread_cond_wait(&queue.changed, &queue.lock);
    run();
    taken++;
    pthread_mutex_unlock(&queue.lock);
    return unused;
}
