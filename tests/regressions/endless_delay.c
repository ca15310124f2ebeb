/* A wait whose delay never ends: no `unsigned char` passes 300, so the thread never looks at `ready`, and
 * nothing behind the wait is reached. With -DENDS the delay ends. */
#include <pthread.h>
#ifdef ENDS
#define BOUND 200
#else
#define BOUND 300
#endif
int ready, late;
void *waits(void *p)
{
    do {
        unsigned char i;
        for (i = 0; i < BOUND; i++)
            ;
    } while (!ready);
    late = 1;
    return p;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, waits, 0);
    ready = 1;
    return 0;
}
