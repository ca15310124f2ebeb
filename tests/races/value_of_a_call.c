// race: x
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y;
static int get(void) {
    pthread_mutex_lock(&m);
    int r = y;
    pthread_mutex_unlock(&m);
    return r;
}
void *one(void *a) { x = get(); return 0; }
void *two(void *a) {
    pthread_mutex_lock(&m);
    y = 2;
    x = 3;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return x;
}
