// none
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static int busy;
int x;
void *work(void *a) {
    while (!__sync_bool_compare_and_swap(&busy, 0, 1)) ;
    x++;
    __sync_lock_release(&busy);
    return 0;
}
int main(void) {
    pthread_t t;
    for (int n = __VERIFIER_nondet_int(); n > 0; n--) pthread_create(&t, 0, work, 0);
    return 0;
}
