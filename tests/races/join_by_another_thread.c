// none
#include <pthread.h>
int x;
pthread_t t;
void *one(void *a) { x = 1; return 0; }
void *two(void *a) { pthread_join(t, 0); x++; return 0; }
int main(void) {
    pthread_t u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(u, 0);
    return x;
}
