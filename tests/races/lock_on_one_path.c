// race: shared
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int shared;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *one(void *a) {
    int careful = __VERIFIER_nondet_int();
    if (careful) pthread_mutex_lock(&m);
    shared = 1;
    if (careful) pthread_mutex_unlock(&m);
    return 0;
}
void *two(void *a) {
    pthread_mutex_lock(&m);
    shared = 2;
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
