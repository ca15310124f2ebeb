// race: x
#include <pthread.h>
extern void __VERIFIER_assume(int);
int m = 0, x = 0;
void __VERIFIER_atomic_acquire(void) {
    __VERIFIER_assume(m == 0);
    m = 1;
}
void __VERIFIER_atomic_release(void) {
    m = 0;
}
void *work(void *a) {
    __VERIFIER_atomic_acquire();
    x++;
    __VERIFIER_atomic_release();
    __VERIFIER_atomic_release();
    return 0;
}
int main(void) {
    pthread_t t;
    while (1) pthread_create(&t, 0, work, 0);
}
