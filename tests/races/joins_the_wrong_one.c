// race: x
#include <pthread.h>
int x, y;
void *one(void *a) { x = 1; return 0; }
void *two(void *a) { y = 1; return 0; }
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(u, 0);
    x++;
    pthread_join(t, 0);
    return x;
}
