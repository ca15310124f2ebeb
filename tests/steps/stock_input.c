#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static int stock = 2, waiting, closed;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void *customer(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m);
    while (!closed) {
        waiting++;
        while (stock == 0 && !closed) pthread_cond_wait(&c, &m);
        waiting--;
#ifndef WRONG
        if (stock > 0) stock--;
#else
        stock--;
#endif
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m);
    }
    pthread_mutex_unlock(&m);
    return NULL;
}
int main(void)
{
    pthread_t t[2];
    char buf[32];
    for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, customer, NULL);
    while (fgets(buf, sizeof buf, stdin)) {
        int n = atoi(buf);
        if (n <= 0) break;
        if (n > 3) n = 3;
        pthread_mutex_lock(&m);
        if (stock + n <= 5) stock += n;
        pthread_cond_broadcast(&c);
        pthread_mutex_unlock(&m);
    }
    pthread_mutex_lock(&m);
    closed = 1;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
    return 0;
}
