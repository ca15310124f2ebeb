// race: x
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *one(void *a) {
    pthread_mutex_lock(&m);
    int old = x;
    pthread_mutex_unlock(&m);
    x = old + 1;
    return 0;
}
void *two(void *a) {
    pthread_mutex_lock(&m);
    x = 0;
    pthread_mutex_unlock(&m);
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
