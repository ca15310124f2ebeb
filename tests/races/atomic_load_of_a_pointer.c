// none
#include <pthread.h>
#include <stdatomic.h>
static _Atomic(int *) place; static int cell;
void *work(void *a) {
    int *seen = atomic_load_explicit(&place, memory_order_acquire);
    if (seen) return seen;
    return a;
}
int main(void) {
    pthread_t t[2];
    atomic_store(&place, &cell);
    pthread_create(&t[0], 0, work, 0);
    pthread_create(&t[1], 0, work, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
