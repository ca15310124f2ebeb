/* Three stages hand a value on; each adds its part.
 * WRONG: the last stage starts when the first one is done. */
#include <assert.h>
#include <pthread.h>

static int value;
static int stage;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t next = PTHREAD_COND_INITIALIZER;

static void step(int wanted, int part)
{
    pthread_mutex_lock(&mutex);
    while (stage < wanted)
        pthread_cond_wait(&next, &mutex);
    value = value * 10 + part;
    stage++;
    pthread_cond_broadcast(&next);
    pthread_mutex_unlock(&mutex);
}

static void *first(void *unused)
{
    step(0, 1);
    return unused;
}

static void *second(void *unused)
{
    step(1, 2);
    return unused;
}

static void *third(void *unused)
{
#ifdef WRONG
    step(1, 3);
#else
    step(2, 3);
#endif
    return unused;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_create(&c, 0, third, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(value == 123);
    return 0;
}
