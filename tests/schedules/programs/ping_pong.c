/* Two threads play in turn, with a condition variable and whose turn it is.
 * WRONG: a player looks only once whether it is its turn; a wakeup may have been for nothing. */
#include <pthread.h>

#define GAMES 2

int ball; /* 0: ping has it, 1: pong */
int out_of_turn;
static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t hit = PTHREAD_COND_INITIALIZER;

static void play(int me)
{
    pthread_mutex_lock(&table);
#ifdef WRONG
    if (ball != me)
#else
    while (ball != me)
#endif
        pthread_cond_wait(&hit, &table);
    if (ball != me)
        out_of_turn = 1;
    ball = 1 - me;
    pthread_cond_broadcast(&hit);
    pthread_mutex_unlock(&table);
}

static void *ping(void *unused)
{
    int i;
    for (i = 0; i < GAMES; i++)
        play(0);
    return unused;
}

static void *pong(void *unused)
{
    int i;
    for (i = 0; i < GAMES; i++)
        play(1);
    return unused;
}

static void *heckler(void *unused)
{
    pthread_cond_broadcast(&hit);
    return unused;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, 0, ping, 0);
    pthread_create(&b, 0, pong, 0);
    pthread_create(&c, 0, heckler, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
