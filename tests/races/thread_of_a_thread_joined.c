// none
#include <pthread.h>
int x;
void *inner(void *a) { x = 1; return 0; }
void *outer(void *a) {
    pthread_t t;
    pthread_create(&t, 0, inner, 0);
    pthread_join(t, 0);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, outer, 0);
    pthread_join(t, 0);
    return x;
}
