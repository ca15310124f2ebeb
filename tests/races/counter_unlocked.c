// race: count
#include <pthread.h>
int count;
void *one(void *a) { count++; return 0; }
void *two(void *a) { count++; return 0; }

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
