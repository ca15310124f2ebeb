// none
#include <pthread.h>
pthread_spinlock_t s;
int x;
void *work(void *a) {
    pthread_spin_lock(&s);
    x++;
    pthread_spin_unlock(&s);
    return 0;
}
int main(void) {
    pthread_t t, u;
    pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&t, 0, work, 0);
    pthread_create(&u, 0, work, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return x;
}
