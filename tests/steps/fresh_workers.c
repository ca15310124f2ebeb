/* A server starts a thread for each request and waits for its answer. Each thread begins with thread-local data as they
   are first, and with no data under the key. */
#include <pthread.h>

_Thread_local int calls;
pthread_key_t key;
int answered, stale;

void *answer(void *request) {
    static _Thread_local int left = 2;
    calls++;
    left--;
    if (calls != 1 || left != 1) stale = 1;
    if (pthread_getspecific(key)) stale = 1;
    pthread_setspecific(key, request);
    answered = 1;
    return 0;
}

int main(void) {
    pthread_key_create(&key, 0);
    int request;
    pthread_t thread;
    do {
        answered = 0;
        pthread_create(&thread, 0, answer, &request);
#ifdef WRONG
        calls++; /* of the main thread: no worker sees it */
        if (calls == 2) stale = 1;
#endif
        pthread_join(thread, 0);
    } while (1);
}
