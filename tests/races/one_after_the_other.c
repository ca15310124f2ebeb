// none
#include <pthread.h>
int x;
void *one(void *a) { x++; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    pthread_join(t, 0);
    pthread_create(&t, 0, one, 0);
    pthread_join(t, 0);
    return x;
}
