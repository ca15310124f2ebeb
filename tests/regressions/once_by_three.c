#include <pthread.h>
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int inits, value, sum;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void init(void) { inits++; value = 7; }
static void *t(void *p) {
    pthread_once(&once, init);
    pthread_mutex_lock(&m);
    sum += value;
    pthread_mutex_unlock(&m);
    return p;
}
int main(void) {
    pthread_t th[3];
    for (int i = 0; i < 3; i++) pthread_create(&th[i], NULL, t, NULL);
    for (int i = 0; i < 3; i++) pthread_join(th[i], NULL);
    return sum != 21;
}
