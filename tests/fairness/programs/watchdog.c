/* A worker shows that it is alive, a watchdog looks. With -DWAITS the watchdog waits for a sign instead of looking. */
#include <pthread.h>
#include <stdatomic.h>
atomic_int beat;
_Bool alarm_, seen;
void *worker(void *argument)
{
    while (1)
        beat = 1;
    return argument;
}
void *watchdog(void *argument)
{
    while (1) {
#ifdef WAITS
        while (!beat)
            ;
        beat = 0;
        seen = 1;
        seen = 0;
#else
        if (beat)
            beat = 0;
        else {
            alarm_ = 1;
            alarm_ = 0;
        }
#endif
    }
    return argument;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, watchdog, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
