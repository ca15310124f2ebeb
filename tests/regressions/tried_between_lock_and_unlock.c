#include <pthread.h>

int bad;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *holder(void *argument)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, holder, 0);
    if (pthread_mutex_trylock(&lock) != 0)
        bad = 1;
    return 0;
}
