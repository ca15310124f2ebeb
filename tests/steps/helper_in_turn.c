/* A client asks a helper thread that lives for ever; a new client begins when the last one has its answer. */
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int asked, served;

void *help(void *unused) {
    for (;;) {
        pthread_mutex_lock(&lock);
        while (!asked) pthread_cond_wait(&changed, &lock);
        asked = 0;
        served = 1;
#ifdef WRONG
        pthread_cond_signal(&changed); /* may wake nobody, and then nobody is woken any more */
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        served = 0;
#else
        pthread_cond_signal(&changed);
#endif
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

void *client(void *unused) {
    pthread_mutex_lock(&lock);
    asked = 1;
    pthread_cond_signal(&changed);
    while (!served) pthread_cond_wait(&changed, &lock);
    served = 0;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t helper;
    pthread_create(&helper, 0, help, 0);
    while (1) {
        pthread_t one;
        pthread_create(&one, 0, client, 0);
        pthread_join(one, 0);
    }
}
