// none
#include <pthread.h>
#include <stdatomic.h>
int data;
atomic_int flag;
void *one(void *a) {
    while (!atomic_load(&flag)) ;
    data++;
    return 0;
}
void *two(void *a) {
    data = 4;
    atomic_store(&flag, 1);
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
