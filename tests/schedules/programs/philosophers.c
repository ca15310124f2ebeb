/* Three philosophers take two forks each, in an order that cannot close a circle.
 * WRONG: each takes the left fork first. */
#include <pthread.h>

#define SEATS 3

int meals;
static pthread_mutex_t fork_at[SEATS];
static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;

static void *philosopher(void *number)
{
    int left = (int)(long)number;
    int right = (left + 1) % SEATS;
    int first = left, second = right;
#ifndef WRONG
    if (right < left) {
        first = right;
        second = left;
    }
#endif
    pthread_mutex_lock(&fork_at[first]);
    pthread_mutex_lock(&fork_at[second]);
    pthread_mutex_lock(&counting);
    meals++;
    pthread_mutex_unlock(&counting);
    pthread_mutex_unlock(&fork_at[second]);
    pthread_mutex_unlock(&fork_at[first]);
    return 0;
}

int main(void)
{
    pthread_t seat[SEATS];
    long i;
    for (i = 0; i < SEATS; i++)
        pthread_mutex_init(&fork_at[i], 0);
    for (i = 0; i < SEATS; i++)
        pthread_create(&seat[i], 0, philosopher, (void *)i);
    for (i = 0; i < SEATS; i++)
        pthread_join(seat[i], 0);
    return 0;
}
