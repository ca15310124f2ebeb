// none
#include <pthread.h>
int x;
void *one(void *a) { x = 1; return 0; }
int main(void) {
    pthread_t t;
    x = 5;
    pthread_create(&t, 0, one, 0);
    pthread_join(t, 0);
    x++;
    return x;
}
