/* A token goes round three stations. With -DLOSES the second one never passes it on: then all wait. */
#include <pthread.h>
#include <semaphore.h>
sem_t token[3];
_Bool third;
static void pass(int to) { sem_post(&token[to]); }
void *station(void *argument)
{
    int me = (int)(long)argument;
    while (1) {
        sem_wait(&token[me]);
        if (me == 2) { third = 1; third = 0; }
#ifdef LOSES
        if (me == 1) continue;
#endif
        pass((me + 1) % 3);
    }
    return 0;
}
int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++) sem_init(&token[i], 0, i == 0);
    for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, station, (void *)(long)i);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    return 0;
}
