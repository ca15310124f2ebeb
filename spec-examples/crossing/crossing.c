/* Two traffic lights at a crossing. Each has a local status; they hand over to each other by two mutexes
 * that serve as turns: `turn1` is free when it is signal 1's turn, `turn2` when it is signal 2's.
 *
 * With -DENDLESS the lights run for ever, as lights do. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#define CYCLES 2

enum light { RED, ORANGE, GREEN };

pthread_mutex_t turn1 = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t turn2 = PTHREAD_MUTEX_INITIALIZER;

int is_green(enum light status)
{
    return status == GREEN;
}

int is_orange(enum light status)
{
    return status == ORANGE;
}

int is_red(enum light status)
{
    return status == RED;
}

void *signal1(void *arg)
{
    enum light status = RED;

    (void)arg;
begin1:
#ifdef ENDLESS
    while (1) {
#else
    for (int cycle = 0; cycle < CYCLES; cycle++) {
#endif
        pthread_mutex_lock(&turn1);
        status = GREEN;
        printf("signal 1: green\n");
        sleep(3);
        status = ORANGE;
        printf("signal 1: orange\n");
        sleep(1);
        status = RED;
        printf("signal 1: red\n");
        pthread_mutex_unlock(&turn2);
    }
end1:
    return NULL;
}

void *signal2(void *arg)
{
    enum light status = RED;

    (void)arg;
begin2:
#ifdef ENDLESS
    while (1) {
#else
    for (int cycle = 0; cycle < CYCLES; cycle++) {
#endif
        pthread_mutex_lock(&turn2);
        status = GREEN;
        printf("signal 2: green\n");
        sleep(3);
        status = ORANGE;
        printf("signal 2: orange\n");
        sleep(1);
        status = RED;
        printf("signal 2: red\n");
        pthread_mutex_unlock(&turn1);
    }
end2:
    return NULL;
}

int main(void)
{
    pthread_t first, second;

    pthread_mutex_lock(&turn2);
    pthread_create(&first, NULL, signal1, NULL);
    pthread_create(&second, NULL, signal2, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
