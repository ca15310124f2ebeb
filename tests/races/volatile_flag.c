// race: flag
#include <pthread.h>
volatile int flag;
int data;
void *one(void *a) { while (!flag) ; return (void *)(long)data; }
void *two(void *a) { data = 7; flag = 1; return 0; }

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
