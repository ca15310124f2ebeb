/* Two clients push requests on a stack by compare-and-swap, a server takes them off and serves. A stack is not fair: the last one
   that came is served first, so one client may wait for ever while the other one comes again and again. */
#include <pthread.h>
#include <stdatomic.h>
#define NONE 2
atomic_int top = NONE;
int next[2] = { NONE, NONE };
_Bool waiting[2], served;
_Bool asks;
void *client(void *argument)
{
    int me = (int)(long)argument;
    while (1) {
        if (me == 0) asks = 1;
        waiting[me] = 1;
        int old = atomic_load(&top);
        do {
            next[me] = old;
        } while (!atomic_compare_exchange_weak(&top, &old, me));
        while (waiting[me])
            ;
        if (me == 0) asks = 0;
    }
    return 0;
}
void *server(void *argument)
{
    while (1) {
        int first = atomic_load(&top);
        if (first != NONE && atomic_compare_exchange_strong(&top, &first, next[first]))
            waiting[first] = 0;
    }
    return argument;
}
int main(void)
{
    pthread_t a, b, s;
    pthread_create(&a, 0, client, (void *)0L);
    pthread_create(&b, 0, client, (void *)1L);
    pthread_create(&s, 0, server, 0);
    pthread_join(a, 0);
    return 0;
}
