// race: cells
#include <pthread.h>
int cells[4];
void *work(void *a) {
    int from = *(int *)a;
    for (int i = from; i < from + 2; i++) cells[i]++;
    return 0;
}
int starts[2] = {0, 1};
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, work, &starts[0]);
    pthread_create(&u, 0, work, &starts[1]);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
