/* An event loop: a signal handler's flag, a queue of events, a stop. */
#include <pthread.h>
#include <stdatomic.h>
enum event { NONE, TICK, INPUT, QUIT };
struct loop { atomic_int pending; int state; };
static struct loop loop;
int handled, stopped, asked;
static void handle(struct loop *l, enum event e)
{
    switch (e) {
    case TICK: l->state = 1; break;
    case INPUT: l->state = 2; break;
    case QUIT: l->state = 3; break;
    default: break;
    }
}
static void *source(void *u)
{
    for (int i = 0; i < 3; i++)
        atomic_fetch_or(&loop.pending, 1 << (i + 1)), asked = i + 1;
    return u;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, source, 0);
    while (loop.state != 3) {
#ifdef WRONG
        int p = loop.pending; loop.pending = 0;
#else
        int p = atomic_exchange(&loop.pending, 0);
#endif
        for (int e = TICK; e <= QUIT; e++)
            if (p & 1 << e) handle(&loop, e), handled++;
    }
    stopped = 1;
    pthread_join(t, 0);
    return 0;
}
