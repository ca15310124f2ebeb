// race
#include <pthread.h>
struct box { pthread_mutex_t lock; int value; };
struct box a = {PTHREAD_MUTEX_INITIALIZER, 0}, b = {PTHREAD_MUTEX_INITIALIZER, 0};
void *one(void *unused) {
    pthread_mutex_lock(&a.lock);
    b.value++;
    pthread_mutex_unlock(&a.lock);
    return 0;
}
void *two(void *unused) {
    pthread_mutex_lock(&b.lock);
    b.value++;
    pthread_mutex_unlock(&b.lock);
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
