/* A barrier made of a mutex and a condition variable: everybody gets through in the end.
 * WRONG: the last one wakes only one of those that wait. */
#include <pthread.h>

#define THREADS 3

int through;
static int arrived;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_here = PTHREAD_COND_INITIALIZER;

static void meet(void)
{
    pthread_mutex_lock(&lock);
    arrived++;
    if (arrived == THREADS) {
#ifdef WRONG
        pthread_cond_signal(&all_here);
#else
        pthread_cond_broadcast(&all_here);
#endif
    }
    while (arrived < THREADS)
        pthread_cond_wait(&all_here, &lock);
    through++;
    pthread_mutex_unlock(&lock);
}

static void *guest(void *unused)
{
    meet();
    return unused;
}

int main(void)
{
    pthread_t threads[THREADS];
    int i;
    for (i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, guest, 0);
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
