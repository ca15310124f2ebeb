#include <pthread.h>
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int data, copy, reading, writing;
static void *reader(void *u) { for (;;) {
    pthread_rwlock_rdlock(&lock);
    reading = 1;
    copy = data;
    reading = 0;
    pthread_rwlock_unlock(&lock);
} return u; }
static void *writer(void *u) { for (;;) {
#ifdef WRONG
    pthread_rwlock_rdlock(&lock);
#else
    pthread_rwlock_wrlock(&lock);
#endif
    writing = 1;
    data = !data;
    writing = 0;
    pthread_rwlock_unlock(&lock);
} return u; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, reader, 0); pthread_create(&b, 0, writer, 0); pthread_join(a, 0); return 0; }
