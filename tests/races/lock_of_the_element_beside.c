// race: cells
#include <pthread.h>
pthread_mutex_t locks[4];
int cells[4];
void *work(void *a) {
    int i = (int)(long)a;
    pthread_mutex_lock(&locks[i]);
    cells[i]++;
    i++;
    cells[i]++;
    i--;
    pthread_mutex_unlock(&locks[i]);
    return 0;
}
int main(void) {
    pthread_t t, u;
    for (int i = 0; i < 4; i++) pthread_mutex_init(&locks[i], 0);
    pthread_create(&t, 0, work, (void *)0);
    pthread_create(&u, 0, work, (void *)1);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
