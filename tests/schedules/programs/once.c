/* Something that shall happen once, whoever comes first.
 * WRONG: a plain flag instead of pthread_once. */
#include <pthread.h>

int times;
int started;
pthread_once_t control = PTHREAD_ONCE_INIT;

static void initialise(void)
{
    times++;
}

static void ensure(void)
{
#ifdef WRONG
    if (!started) {
        started = 1;
        initialise();
    }
#else
    pthread_once(&control, initialise);
#endif
}

static void *worker(void *unused)
{
    ensure();
    ensure();
    return unused;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_create(&c, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
