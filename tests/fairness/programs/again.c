/* Two threads and a mutex; the threads are started in a loop, and go round by jumps. */
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
_Bool asks, in;

void *first(void *own)
{
again:
    asks = 1;
    pthread_mutex_lock(&lock);
    in = 1;
    asks = 0;
    in = 0;
    pthread_mutex_unlock(&lock);
    goto again;
    return own;
}

void *second(void *own)
{
again:
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    goto again;
    return own;
}

int main(void)
{
    void *(*all[2])(void *) = { first, second };
    pthread_t id[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&id[i], 0, all[i], 0);
    for (int i = 0; i < 2; i++)
        pthread_join(id[i], 0);
    return 0;
}
