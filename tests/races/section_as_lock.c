// none
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
int busy, x;
static void enter(void) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(busy == 0);
    busy = 1;
    __VERIFIER_atomic_end();
}
static void leave(void) { __VERIFIER_atomic_begin(); busy = 0; __VERIFIER_atomic_end(); }
void *one(void *a) { enter(); x++; leave(); return 0; }
void *two(void *a) { enter(); x--; leave(); return 0; }

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
