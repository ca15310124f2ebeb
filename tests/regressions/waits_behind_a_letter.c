#include <pthread.h>

_Bool asked, served;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *client(void *argument)
{
    asked = 1;
    pthread_mutex_lock(&lock);
    served = 1;
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_mutex_lock(&lock);
    pthread_create(&thread, 0, client, 0);
    pthread_join(thread, 0);
    return 0;
}
