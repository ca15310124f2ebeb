// none
#include <pthread.h>
_Bool busy;
int data;
void *one(void *a) {
    while (__atomic_test_and_set(&busy, __ATOMIC_SEQ_CST)) ;
    data++;
    __atomic_clear(&busy, __ATOMIC_SEQ_CST);
    return 0;
}
void *two(void *a) {
    while (__atomic_test_and_set(&busy, __ATOMIC_SEQ_CST)) ;
    data++;
    __atomic_clear(&busy, __ATOMIC_SEQ_CST);
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
