#include <pthread.h>
#include <stdatomic.h>

static atomic_uint head, tail;
static unsigned char ring[2];
unsigned char sent, got, is_wrong;

static void *producer(void *argument)
{
    while (1) {
        unsigned at = tail;
#ifndef WRONG
        while ((unsigned char)(at - head) % 4 == 2)
            ;
#endif
        ring[at % 2] = sent;
        sent = (sent + 1) % 3;
        tail = (at + 1) % 4;
    }
    return argument;
}

static void *consumer(void *argument)
{
    while (1) {
        unsigned at = head;
        while (tail == at)
            ;
        if (ring[at % 2] != got)
            is_wrong = 1;
        got = (got + 1) % 3;
        head = (at + 1) % 4;
    }
    return argument;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
