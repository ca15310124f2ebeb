// race: made
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int made, value;
static int get(void) {
    if (!made) {
        pthread_mutex_lock(&m);
        if (!made) { value = 3; made = 1; }
        pthread_mutex_unlock(&m);
    }
    return value;
}
void *one(void *a) { return (void *)(long)get(); }
void *two(void *a) { return (void *)(long)get(); }

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
