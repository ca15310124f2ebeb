// none
#include <pthread.h>
#include <stdatomic.h>
atomic_int taken;
int x;
void *work(void *a) {
    if (atomic_exchange(&taken, 1) == 0) x = (int)(long)a;
    return 0;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, work, (void *)1);
    pthread_create(&u, 0, work, (void *)2);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return x;
}
