/* A bucket of tokens that a timer fills; with -DRIVAL a second client takes tokens, too. */
#include <pthread.h>
int tokens;
_Bool served;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int take(void)
{
    int got = 0;
    pthread_mutex_lock(&m);
    if (tokens > 0) {
        tokens--;
        got = 1;
    }
    pthread_mutex_unlock(&m);
    return got;
}
void *timer(void *argument)
{
    while (1) {
        pthread_mutex_lock(&m);
        if (tokens < 2)
            tokens++;
        pthread_mutex_unlock(&m);
    }
    return argument;
}
void *client(void *argument)
{
    while (1)
        if (take()) {
            served = 1;
            served = 0;
        }
    return argument;
}
void *rival(void *argument)
{
    while (1)
        take();
    return argument;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, timer, 0);
    pthread_create(&b, 0, client, 0);
#ifdef RIVAL
    pthread_t c;
    pthread_create(&c, 0, rival, 0);
#endif
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
