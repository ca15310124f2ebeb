/* One thread waits until another one has finished.
 * WRONG: what it waits for is not tested under the mutex, so that the signal may come too early. */
#include <pthread.h>

int finished, went_on;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *worker(void *unused)
{
    pthread_mutex_lock(&mutex);
    finished = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *waiter(void *unused)
{
#ifdef WRONG
    int done = finished;
    pthread_mutex_lock(&mutex);
    if (!done)
        pthread_cond_wait(&changed, &mutex);
#else
    pthread_mutex_lock(&mutex);
    while (!finished)
        pthread_cond_wait(&changed, &mutex);
#endif
    pthread_mutex_unlock(&mutex);
    went_on = 1;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, waiter, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
