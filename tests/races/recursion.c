// none
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
static void down(int n) {
    if (n == 0) return;
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    down(n - 1);
}
void *one(void *a) { down(2); return 0; }
void *two(void *a) { down(3); return 0; }

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
