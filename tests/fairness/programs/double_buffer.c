/* Two buffers: one is drawn while the other one is shown; with -DDROPS the drawer does not wait for the viewer. */
#include <pthread.h>
#include <semaphore.h>
int buffers[2];
int front;
sem_t drawn, free_;
_Bool shown;
#ifdef DROPS
volatile _Bool fresh;
#endif
void *drawer(void *argument)
{
    int picture = 0;
    while (1) {
        buffers[1 - front] = picture;
        picture = !picture;
#ifdef DROPS
        front = 1 - front;
        fresh = 1;
#else
        sem_wait(&free_);
        front = 1 - front;
        sem_post(&drawn);
#endif
    }
    return argument;
}
void *viewer(void *argument)
{
    while (1) {
#ifdef DROPS
        while (!fresh)
            ;
        fresh = 0;
#else
        sem_wait(&drawn);
#endif
        int picture = buffers[front];
        (void)picture;
        shown = 1;
        shown = 0;
#ifndef DROPS
        sem_post(&free_);
#endif
    }
    return argument;
}
int main(void)
{
    pthread_t a, b;
    sem_init(&drawn, 0, 0);
    sem_init(&free_, 0, 1);
    pthread_create(&a, 0, drawer, 0);
    pthread_create(&b, 0, viewer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
