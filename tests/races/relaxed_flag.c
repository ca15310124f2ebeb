// not none
#include <pthread.h>
int data, flag;
void *one(void *a) {
    while (!__atomic_load_n(&flag, __ATOMIC_RELAXED)) ;
    data++;
    return 0;
}
void *two(void *a) {
    data = 4;
    __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
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
