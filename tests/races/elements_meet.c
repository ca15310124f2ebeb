// race: cells
#include <pthread.h>
int cells[3];
void *work(void *a) { int i = (int)(long)a; cells[i / 2] = i; return 0; }
int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, (void *)(long)i);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    return cells[0];
}
