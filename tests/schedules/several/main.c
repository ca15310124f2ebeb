/* One producer and two consumers. `step` and `run` are also names of the other file. */

#include "queue.h"
struct queue queue;
int taken;
static int step;
static void *run(void *unused)
{
    for (step = 0; step < ITEMS; step++)
        put(step);
    return unused;
}
int main(void)
{
    pthread_t p, c, d;
    pthread_mutex_init(&queue.lock, 0);
    pthread_cond_init(&queue.changed, 0);
    pthread_create(&p, 0, run, 0);
    pthread_create(&c, 0, consumer, 0);
    pthread_create(&d, 0, consumer, 0);
    pthread_join(p, 0);
    pthread_join(c, 0);
    pthread_join(d, 0);
    return 0;
}
