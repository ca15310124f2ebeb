// none
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *one(void *a) {
    if (pthread_mutex_trylock(&m) == 0) { x++; pthread_mutex_unlock(&m); }
    return 0;
}
void *two(void *a) {
    int failed = pthread_mutex_trylock(&m);
    if (!failed) { x++; pthread_mutex_unlock(&m); }
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
