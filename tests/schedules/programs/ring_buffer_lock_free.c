/* A ring buffer of one producer and one consumer without locks.
 * WRONG: the producer publishes the slot before it has filled it. */
#include <assert.h>
#include <pthread.h>

#define SIZE 2
#define ITEMS 3

static int slots[SIZE];
static unsigned head, tail;
static int sum;

static void *produce(void *unused)
{
    int i;
    for (i = 1; i <= ITEMS; i++) {
        while (tail - head == SIZE)
            ;
#ifdef WRONG
        tail = tail + 1;
        slots[(tail - 1) % SIZE] = i;
#else
        slots[tail % SIZE] = i;
        tail = tail + 1;
#endif
    }
    return unused;
}

static void *consume(void *unused)
{
    int i;
    for (i = 1; i <= ITEMS; i++) {
        while (tail == head)
            ;
        assert(slots[head % SIZE] == i);
        sum += i;
        head = head + 1;
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, produce, 0);
    pthread_create(&b, 0, consume, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(sum == 6);
    return 0;
}
