#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int reads0, reads1, writes;

static void *reader0(void *argument)
{
    while (1) {
        pthread_rwlock_rdlock(&lock);
        reads0 = 1;
        reads0 = 0;
        pthread_rwlock_unlock(&lock);
    }
    return argument;
}

static void *reader1(void *argument)
{
    while (1) {
        pthread_rwlock_rdlock(&lock);
        reads1 = 1;
        reads1 = 0;
        pthread_rwlock_unlock(&lock);
    }
    return argument;
}

static void *writer(void *argument)
{
    while (1) {
#ifdef WRONG
        pthread_rwlock_rdlock(&lock);
#else
        pthread_rwlock_wrlock(&lock);
#endif
        writes = 1;
        writes = 0;
        pthread_rwlock_unlock(&lock);
    }
    return argument;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, reader0, NULL);
    pthread_create(&b, NULL, reader1, NULL);
    pthread_create(&c, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
