// race
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;
int x;
static void with(pthread_mutex_t *l, int *at) {
    pthread_mutex_lock(l);
    (*at)++;
    pthread_mutex_unlock(l);
}
void *one(void *a) { with(&m, &x); return 0; }
void *two(void *a) { with(&n, &x); return 0; }

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
