// race: x
#include <pthread.h>
int x;
void *one(void *a) { x = 1; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    x++;
    pthread_join(t, 0);
    return x;
}
