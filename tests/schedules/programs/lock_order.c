/* Two threads take the same two locks in the same order.
 * WRONG: in opposite orders, so that each may wait for the other. */
#include <pthread.h>

int done;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static void *forth(void *unused)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    x = y + 1;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}

static void *back(void *unused)
{
#ifdef WRONG
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
#else
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
#endif
    y = x + 1;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, forth, 0);
    pthread_create(&second, 0, back, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    done = 1;
    return 0;
}
