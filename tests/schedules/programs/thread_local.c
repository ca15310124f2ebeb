/* Each thread counts for itself and adds its count to the sum at the end.
 * WRONG: all count in one variable. */
#include <assert.h>
#include <pthread.h>

#ifdef WRONG
static int count;
#else
static _Thread_local int count;
#endif
static int sum;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void work(int items)
{
    int i;
    for (i = 0; i < items; i++)
        count = count + 1;
}

static void *worker(void *items)
{
    work(*(int *)items);
    pthread_mutex_lock(&mutex);
    sum += count;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    int one = 1, two = 2;
    pthread_create(&a, 0, worker, &one);
    pthread_create(&b, 0, worker, &two);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(sum == 3);
    return 0;
}
