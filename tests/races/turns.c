// none
#include <pthread.h>
#include <stdatomic.h>
atomic_int turn;
int x;
void *one(void *a) {
    while (turn != 0) ;
    x++;
    turn = 1;
    return 0;
}
void *two(void *a) {
    while (turn != 1) ;
    x++;
    turn = 0;
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
