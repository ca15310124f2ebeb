/* A bridge with one lane: cars of one direction at a time. */
#include <pthread.h>
#include <stdint.h>
enum dir { EAST, WEST };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t clear = PTHREAD_COND_INITIALIZER;
static int on_bridge; static enum dir current;
int east, west, east_arrives;
static void arrive(enum dir d)
{
    pthread_mutex_lock(&m);
#ifdef WRONG
    if (on_bridge > 0 && current != d) pthread_cond_wait(&clear, &m);
#else
    while (on_bridge > 0 && current != d) pthread_cond_wait(&clear, &m);
#endif
    on_bridge++; current = d;
    pthread_mutex_unlock(&m);
}
static void leave(void)
{
    pthread_mutex_lock(&m);
    if (--on_bridge == 0) pthread_cond_broadcast(&clear);
    pthread_mutex_unlock(&m);
}
static void *eastbound(void *a)
{
    for (;;) {
        east_arrives = 1;
        arrive(EAST);
        east_arrives = 0;
        __atomic_fetch_add(&east, 1, __ATOMIC_SEQ_CST);
        __atomic_fetch_sub(&east, 1, __ATOMIC_SEQ_CST);
        leave();
    }
    return a;
}
static void *westbound(void *a)
{
    for (;;) {
        arrive(WEST);
        __atomic_fetch_add(&west, 1, __ATOMIC_SEQ_CST);
        __atomic_fetch_sub(&west, 1, __ATOMIC_SEQ_CST);
        leave();
    }
    return a;
}
int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], 0, eastbound, 0);
    pthread_create(&t[1], 0, westbound, 0);
    pthread_create(&t[2], 0, westbound, 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    return 0;
}
