#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static int pending;
int asked, served;

static void *loop(void *argument)
{
    while (1) {
        pthread_mutex_lock(&lock);
        while (!pending)
            pthread_cond_wait(&change, &lock);
        pending = 0;
        asked = 0;
        served = 1;
        served = 0;
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

static void *client(void *argument)
{
    while (1) {
        pthread_mutex_lock(&lock);
        asked = 1;
        pending = 1;
#ifndef WRONG
        pthread_cond_signal(&change);
#endif
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, loop, NULL);
    pthread_create(&b, NULL, client, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
