/* Readers and a writer. */
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int readers, writing, want, have;

void *reader(void *arg)
{
    (void)arg;
    want = 1;
    pthread_rwlock_rdlock(&l);
    readers = 1;
    have = 1;
    readers = 0;
#if defined TWICE
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_unlock(&l);
#endif
    pthread_rwlock_unlock(&l);
    return NULL;
}

void *writer(void *arg)
{
    (void)arg;
#if defined WRONG
    pthread_rwlock_rdlock(&l);
#else
    pthread_rwlock_wrlock(&l);
#endif
    writing = 1;
    writing = 0;
#if !defined DEADLOCK
    pthread_rwlock_unlock(&l);
#endif
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
