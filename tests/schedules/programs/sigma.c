/* Threads made in a loop each store their part; the parts are added up at the end.
 * WRONG: the index of the part is shared and grows without a lock. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define N 3

static int *part;
static int index_of_next;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *store(void *unused)
{
#ifndef WRONG
    pthread_mutex_lock(&lock);
#endif
    part[index_of_next] = 1;
    index_of_next++;
#ifndef WRONG
    pthread_mutex_unlock(&lock);
#endif
    return unused;
}

int main(void)
{
    pthread_t *thread = malloc(N * sizeof *thread);
    int i, sum = 0;
    part = calloc(N + 1, sizeof *part);
    if (!thread || !part)
        return 1;
    for (i = 0; i < N; i++)
        pthread_create(&thread[i], 0, store, 0);
    for (i = 0; i < N; i++)
        pthread_join(thread[i], 0);
    for (i = 0; i < N; i++)
        sum += part[i];
    assert(sum == N);
    return 0;
}
