/* A buffer of one place between a producer and a consumer, with a condition variable for each side. */
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t full = PTHREAD_COND_INITIALIZER;
pthread_cond_t empty = PTHREAD_COND_INITIALIZER;
int count, taken;

void *producer(void *arg)
{
    (void)arg;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        while (count == 1)
            pthread_cond_wait(&empty, &m);
        count++;
        pthread_cond_signal(&full);
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, producer, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
#if defined ONCE
        if (count == 0)
#else
        while (count == 0)
#endif
            pthread_cond_wait(&full, &m);
        count--;
        taken++;
#if !defined LOST
        pthread_cond_signal(&empty);
#endif
        pthread_mutex_unlock(&m);
    }
    return 0;
}
