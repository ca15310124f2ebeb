// race
#include <pthread.h>
void *work(void *a) { ++*(int *)a; return 0; }
int main(void) {
    pthread_t t;
    int mine = 0;
    pthread_create(&t, 0, work, &mine);
    mine++;
    pthread_join(t, 0);
    return mine;
}
