/* What is done once is done before anybody goes on, and not twice. */
#include <pthread.h>

pthread_once_t once = PTHREAD_ONCE_INIT;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int count, used;

void prepare(void)
{
    count++;
#if defined DEADLOCK
    pthread_mutex_lock(&m);
#endif
}

void *routine(void *arg)
{
    (void)arg;
#if defined WRONG
    if (count == 0)
        prepare();
#else
    pthread_once(&once, prepare);
#endif
    used = 1;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
#if defined DEADLOCK
    pthread_mutex_lock(&m);
#endif
    pthread_create(&a, NULL, routine, NULL);
    pthread_create(&b, NULL, routine, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
