// race
#include <pthread.h>
void *work(void *a) { int i = *(int *)a; return (void *)(long)i; }
int main(void) {
    pthread_t t[2];
    int i;
    for (i = 0; i < 2; i++) pthread_create(&t[i], 0, work, &i);
    for (int k = 0; k < 2; k++) pthread_join(t[k], 0);
    return 0;
}
