// none
#include <pthread.h>
#include <semaphore.h>
sem_t s;
int item;
void *one(void *a) {
    item = 1;
    sem_post(&s);
    return 0;
}
void *two(void *a) {
    sem_wait(&s);
    item++;
    return 0;
}
int main(void) {
    pthread_t t, u;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return item;
}
