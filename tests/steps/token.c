/* A token goes round three threads. */
#include <pthread.h>
#include <stdint.h>
#include <semaphore.h>
sem_t turn[3];
int has[3];
static void *node(void *arg)
{
    int me = (int)(intptr_t)arg;
    for (;;) {
        sem_wait(&turn[me]);
        has[me] = 1;
        has[me] = 0;
#ifdef WRONG
        sem_post(&turn[me == 2 ? 1 : me + 1]);
#else
        sem_post(&turn[(me + 1) % 3]);
#endif
    }
    return 0;
}
int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++) sem_init(&turn[i], 0, i == 0);
    for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, node, (void *)(intptr_t)i);
    pthread_join(t[0], 0);
    return 0;
}
