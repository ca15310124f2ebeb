/* For ever: two workers are started, each adds its share under a lock, both are joined, and the sum is compared. */
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int sum, wrong, finished;

void *add(void *share) {
#ifdef WRONG
    int before = sum; /* without the lock: what the other one adds in between is lost */
    sum = before + *(int *)share;
#else
    pthread_mutex_lock(&lock);
    sum += *(int *)share;
    pthread_mutex_unlock(&lock);
#endif
    return share;
}

int main(void) {
    int shares[2] = {1, 2};
    for (;;) {
        pthread_t workers[2];
        void *of_first;
        sum = 0;
        for (int i = 0; i < 2; i++) pthread_create(&workers[i], 0, add, &shares[i]);
        pthread_join(workers[0], &of_first);
        pthread_join(workers[1], 0);
        if (sum != 3 || of_first != &shares[0]) wrong = 1;
        finished = 1;
        finished = 0;
    }
}
