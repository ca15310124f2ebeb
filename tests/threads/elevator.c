/* An elevator that serves a call and goes on until it is switched off; the caller waits until it has come. With OPEN, it moves
   with open doors; with DEAF, it looks for calls no more. */
#include <pthread.h>
#include <unistd.h>

int doors, moving, call, served;
volatile int off;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *elevator(void *arg)
{
    (void)arg;
    while (!off) {
        pthread_mutex_lock(&m);
#if defined DEAF
        if (call == 2) {
#else
        if (call) {
#endif
#if !defined OPEN
            doors = 0;
#endif
            moving = 1;
            moving = 0;
            doors = 1;
            call = 0;
            served = 1;
        }
        pthread_mutex_unlock(&m);
        usleep(1000);
    }
    return NULL;
}

void *caller(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m);
    doors = 1;
    call = 1;
    pthread_mutex_unlock(&m);
    for (;;) {
        pthread_mutex_lock(&m);
        int now = served;
        pthread_mutex_unlock(&m);
        if (now)
            break;
    }
    off = 1;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, elevator, NULL);
    pthread_create(&b, NULL, caller, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
