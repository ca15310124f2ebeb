// none
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
int lock(void) { return pthread_mutex_lock(&m); }
int unlock(void) { return pthread_mutex_unlock(&m); }
struct ops { int (*take)(void), (*give)(void); } ops = {lock, unlock};
void *one(void *a) { ops.take(); x++; ops.give(); return 0; }
void *two(void *a) { ops.take(); x++; ops.give(); return 0; }

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
