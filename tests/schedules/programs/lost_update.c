/* Threads count in loops.
 * WRONG: one of them counts without the mutex. */
#include <assert.h>
#include <pthread.h>

#define TIMES 2

static int counter;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void count(void)
{
    int old = counter;
    counter = old + 1;
}

static void *careful(void *unused)
{
    int i = 0;
    while (i < TIMES) {
        pthread_mutex_lock(&mutex);
        count();
        pthread_mutex_unlock(&mutex);
        i++;
    }
    return unused;
}

static void *careless(void *unused)
{
    int i = 0;
    do {
#ifndef WRONG
        pthread_mutex_lock(&mutex);
#endif
        count();
#ifndef WRONG
        pthread_mutex_unlock(&mutex);
#endif
    } while (++i < TIMES);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, careful, 0);
    pthread_create(&b, 0, careless, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2 * TIMES);
    return 0;
}
