// none
#include <pthread.h>
_Atomic int want0, want1, turn;
int x;
void *one(void *a) {
    want0 = 1;
    turn = 1;
    while (want1 && turn == 1) ;
    x++;
    want0 = 0;
    return 0;
}
void *two(void *a) {
    want1 = 1;
    turn = 0;
    while (want0 && turn == 0) ;
    x++;
    want1 = 0;
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
