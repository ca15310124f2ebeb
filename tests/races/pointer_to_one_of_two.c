// race
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int x, y;
void *one(void *a) {
    int *p = __VERIFIER_nondet_int() ? &x : &y;
    *p = 1;
    return 0;
}
void *two(void *a) { y = 2; return 0; }
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return x;
}
