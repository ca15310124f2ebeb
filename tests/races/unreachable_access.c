// none
#include <pthread.h>
int x, y = 3;
void *one(void *a) { if (y > 5) x = 1; return 0; }
void *two(void *a) { x = 2; return 0; }

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
