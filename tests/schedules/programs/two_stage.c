/* A value goes through two stages, each with its lock; the second depends on the first.
 * WRONG: the reader looks at the second stage without having seen the first. */
#include <pthread.h>

static pthread_mutex_t stage1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t stage2 = PTHREAD_MUTEX_INITIALIZER;
static int value1, value2;

void reach_error(void)
{
ERROR:
    return;
}

static void *produce(void *unused)
{
    pthread_mutex_lock(&stage1);
    value1 = 1;
    pthread_mutex_unlock(&stage1);

    pthread_mutex_lock(&stage2);
    value2 = value1 + 1;
    pthread_mutex_unlock(&stage2);
    return unused;
}

static void *consume(void *unused)
{
    int t1, t2;
    pthread_mutex_lock(&stage2);
    t2 = value2;
    pthread_mutex_unlock(&stage2);
#ifndef WRONG
    if (t2 == 0)
        return unused;
#endif
    pthread_mutex_lock(&stage1);
    t1 = value1;
    pthread_mutex_unlock(&stage1);
    if (t1 != 0 && t2 != t1 + 1)
        reach_error();
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, produce, 0);
    pthread_create(&b, 0, consume, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
