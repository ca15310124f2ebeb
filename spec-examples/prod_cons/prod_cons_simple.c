/* A producer makes five items; two consumers look again and again whether there is one, and take it. No
 * lock keeps test and decrement together: both consumers may see the last item and take it. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#define ITEMS 5

int items = 0;

int is_negative(int count)
{
    return count < 0;
}

void *producer(void *arg)
{
    (void)arg;
    for (int made = 0; made < ITEMS; made++) {
        items++;
    }
    return NULL;
}

void *consumer1(void *arg)
{
    (void)arg;
    while (1) {
    take1:
        if (items > 0)
            items--;
    taken1:
        usleep(1000);
    }
    return NULL;
}

void *consumer2(void *arg)
{
    (void)arg;
    while (1) {
    take2:
        if (items > 0)
            items--;
    taken2:
        usleep(1000);
    }
    return NULL;
}

int main(void)
{
    pthread_t maker, taker1, taker2;

    pthread_create(&taker1, NULL, consumer1, NULL);
    pthread_create(&taker2, NULL, consumer2, NULL);
    pthread_create(&maker, NULL, producer, NULL);
    pthread_join(maker, NULL);
    printf("%d items are made\n", ITEMS);
    return 0;
}
