#include <pthread.h>

#define SIZE 2
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
int n, got;

static void *producer(void *argument)
{
    while (1) {
        pthread_mutex_lock(&m);
        while (n == SIZE)
            pthread_cond_wait(&not_full, &m);
        n++;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&m);
    }
    return argument;
}

static void *consumer(void *argument)
{
    while (1) {
        pthread_mutex_lock(&m);
        while (n == 0)
            pthread_cond_wait(&not_empty, &m);
        n--;
#ifndef WRONG
        pthread_cond_signal(&not_full);
#endif
        got = 1;
        got = 0;
        pthread_mutex_unlock(&m);
    }
    return argument;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, producer, NULL);
    pthread_create(&c, NULL, consumer, NULL);
    pthread_join(a, NULL);
    return 0;
}
