/* A ring buffer in allocated memory, between two threads that spin; with -DDROPS the producer puts nothing in. */
#include <pthread.h>
#include <stdlib.h>
#define ROOM 2
struct slot { volatile int full; };
static struct slot *slots;
_Bool taken;
void *producer(void *a)
{
    int at = 0;
    while (1) {
#ifndef DROPS
        while (slots[at].full)
            ;
        slots[at].full = 1;
#endif
        at = (at + 1) % ROOM;
    }
    return a;
}
void *consumer(void *a)
{
    int at = 0;
    while (1) {
        while (!slots[at].full)
            ;
        taken = 1;
        taken = 0;
        slots[at].full = 0;
        at = (at + 1) % ROOM;
    }
    return a;
}
int main(void)
{
    pthread_t a, b;
    slots = calloc(ROOM, sizeof(struct slot));
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, consumer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
