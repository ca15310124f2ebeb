/* The second thread of each round is joined only if somebody has asked for it: then one place does not do. */
#include <pthread.h>

int ready, joined;

void *work(void *unused) {
    ready = 1;
    return unused;
}

void *ask(void *unused) {
    joined = 1;
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, ask, 0);
    for (;;) {
        ready = 0;
        pthread_create(&second, 0, work, 0);
        if (joined) pthread_join(second, 0);
#ifdef WRONG
        if (ready == 0) ready = 2;
#endif
    }
}
