/* Two lights of a crossing: a car may come whenever; both are never green at a time.
 * WRONG: a light turns green before it has looked at the other one. */
#include <pthread.h>

enum colour { RED, GREEN };

enum colour north = RED, east = RED;
static pthread_mutex_t crossing = PTHREAD_MUTEX_INITIALIZER;

static void *northern(void *unused)
{
#ifdef WRONG
    north = GREEN;
    if (east == GREEN)
        north = RED;
#else
    pthread_mutex_lock(&crossing);
    if (east == RED)
        north = GREEN;
    pthread_mutex_unlock(&crossing);
#endif
    if (north == GREEN) {
        pthread_mutex_lock(&crossing);
        north = RED;
        pthread_mutex_unlock(&crossing);
    }
    return unused;
}

static void *eastern(void *unused)
{
    pthread_mutex_lock(&crossing);
    if (north == RED)
        east = GREEN;
    pthread_mutex_unlock(&crossing);
    if (east == GREEN) {
        pthread_mutex_lock(&crossing);
        east = RED;
        pthread_mutex_unlock(&crossing);
    }
    return unused;
}

int main(void)
{
    pthread_t n, e;
    pthread_create(&n, 0, northern, 0);
    pthread_create(&e, 0, eastern, 0);
    pthread_join(n, 0);
    pthread_join(e, 0);
    return 0;
}
