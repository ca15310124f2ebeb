/* Writers that give up after a time exclude each other: `both` is never 1. */
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int inside, both;

void *writer(void *arg)
{
    struct timespec limit = { 0, 0 };
    (void)arg;
    if (pthread_rwlock_timedwrlock(&lock, &limit) == 0) {
        inside++;
        if (inside == 2)
            both = 1;
        inside--;
        pthread_rwlock_unlock(&lock);
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, writer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
