/* A watcher is started, cancelled and joined, again and again: a request of cancellation is for one thread alone. */
#include <pthread.h>
#include <semaphore.h>

sem_t begun;
int watching, kept;

void *watch(void *unused) {
    pthread_testcancel();
    watching = 1;
    sem_post(&begun);
    for (;;) pthread_testcancel();
    return unused;
}

int main(void) {
    sem_init(&begun, 0, 0);
again:;
    pthread_t watcher;
    void *result;
    watching = 0;
    pthread_create(&watcher, 0, watch, 0);
    sem_wait(&begun);
#ifndef WRONG
    pthread_cancel(watcher);
#endif
    pthread_join(watcher, &result);
    if (result != PTHREAD_CANCELED) kept = 1;
    goto again;
}
