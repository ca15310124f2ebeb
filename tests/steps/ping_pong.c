#include <pthread.h>
struct channel { pthread_mutex_t m; pthread_cond_t c; int turn; };
static struct channel ch = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0 };
int ping, pong;
static void wait_turn(struct channel *c, int who)
{
    pthread_mutex_lock(&c->m);
    while (c->turn != who)
        pthread_cond_wait(&c->c, &c->m);
}
static void pass(struct channel *c, int to)
{
    c->turn = to;
#ifdef WRONG
    if (to)
#endif
    pthread_cond_signal(&c->c);
    pthread_mutex_unlock(&c->m);
}
static void *pinger(void *u) { for (;;) { wait_turn(&ch, 0); ping = 1; ping = 0; pass(&ch, 1); } return u; }
static void *ponger(void *u) { for (;;) { wait_turn(&ch, 1); pong = 1; pong = 0; pass(&ch, 0); } return u; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, pinger, 0); pthread_create(&b, 0, ponger, 0); pthread_join(a, 0); return 0; }
