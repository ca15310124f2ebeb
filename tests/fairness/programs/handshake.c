/* Two threads that hand a turn to each other with a condition variable. */
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
_Bool turn, asks, answers;

void *answerer(void *own)
{
    while (1) {
        pthread_mutex_lock(&lock);
        while (!turn)
            pthread_cond_wait(&changed, &lock);
        answers = 1;
        answers = 0;
        turn = 0;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    return own;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, answerer, 0);
    while (1) {
        pthread_mutex_lock(&lock);
        asks = 1;
        turn = 1;
        pthread_cond_signal(&changed);
        asks = 0;
        while (turn)
            pthread_cond_wait(&changed, &lock);
        pthread_mutex_unlock(&lock);
    }
}
