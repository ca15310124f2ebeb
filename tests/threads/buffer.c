/* A bounded buffer of one place: two producers, main consumes. With one condition variable for both sides, a signal may
   wake the wrong one. */
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t full = PTHREAD_COND_INITIALIZER;
pthread_cond_t empty = PTHREAD_COND_INITIALIZER;
int count, taken;

void *producer(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m);
#if defined WRONG
    if (count == 1)
#else
    while (count == 1)
#endif
        pthread_cond_wait(&empty, &m);
    count++;
    pthread_cond_signal(&full);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, producer, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        while (count == 0)
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
