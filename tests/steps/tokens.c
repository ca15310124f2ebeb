#include <pthread.h>
#include <unistd.h>
#include <time.h>
#define BURST 2
static struct bucket { pthread_mutex_t m; pthread_cond_t c; int tokens; } b = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, BURST };
int level = BURST, sent0, sent1;
static void *refill(void *arg)
{
    (void)arg;
    for (;;) {
        struct timespec ms = { 0, 1000000 };
        nanosleep(&ms, NULL);
        pthread_mutex_lock(&b.m);
#ifdef WRONG
        b.tokens++;
        if (b.tokens > BURST + 1) b.tokens = 0;
#else
        if (b.tokens < BURST) b.tokens++;
#endif
        level = b.tokens;
        pthread_cond_broadcast(&b.c);
        pthread_mutex_unlock(&b.m);
    }
}
static void take(void)
{
    pthread_mutex_lock(&b.m);
    while (b.tokens == 0) pthread_cond_wait(&b.c, &b.m);
    b.tokens--;
    level = b.tokens;
    pthread_mutex_unlock(&b.m);
}
static void *sender(void *arg)
{
    for (;;) {
        take();
        if (arg) { sent1 = 1; sent1 = 0; } else { sent0 = 1; sent0 = 0; }
    }
}
int main(void)
{
    pthread_t r, s0, s1;
    pthread_create(&r, NULL, refill, NULL);
    pthread_create(&s0, NULL, sender, NULL);
    pthread_create(&s1, NULL, sender, &b);
    pthread_join(r, NULL);
    return 0;
}
