// none
#include <pthread.h>
pthread_barrier_t b;
int data[2], sum;
void *one(void *a) {
    data[0] = 1;
    pthread_barrier_wait(&b);
    sum = data[0] + data[1];
    return 0;
}
void *two(void *a) {
    data[1] = 2;
    pthread_barrier_wait(&b);
    return 0;
}
int main(void) {
    pthread_t t, u;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return sum;
}
