// race: value
#include <pthread.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int value;
void *one(void *a) {
    pthread_rwlock_rdlock(&l);
    value++;
    pthread_rwlock_unlock(&l);
    return 0;
}
void *two(void *a) {
    pthread_rwlock_rdlock(&l);
    value++;
    pthread_rwlock_unlock(&l);
    return 0;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
