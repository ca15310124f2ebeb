/* Two workers and a coordinator swap buffers at a barrier of their own, again and again. */
#include <pthread.h>
#include <stdbool.h>
struct barrier { pthread_mutex_t m; pthread_cond_t c; unsigned waiting, needed; bool generation; };
static struct barrier bar = { .m = PTHREAD_MUTEX_INITIALIZER, .c = PTHREAD_COND_INITIALIZER, .needed = 3 };
int round_[3], swapped;
static void barrier_wait(struct barrier *b)
{
    pthread_mutex_lock(&b->m);
    if (++b->waiting == b->needed) {
        b->waiting = 0;
        b->generation = !b->generation;
        pthread_cond_broadcast(&b->c);
    } else {
#ifdef WRONG
        pthread_cond_wait(&b->c, &b->m);
#else
        bool g = b->generation;
        while (g == b->generation) pthread_cond_wait(&b->c, &b->m);
#endif
    }
    pthread_mutex_unlock(&b->m);
}
static void *worker(void *arg)
{
    int *mine = arg;
    for (;;) {
        *mine = (*mine + 1) & 3;
        barrier_wait(&bar);
    }
    return NULL;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, &round_[0]);
    pthread_create(&b, NULL, worker, &round_[1]);
    for (;;) {
        round_[2] = (round_[2] + 1) & 3;
        barrier_wait(&bar);
        swapped = 1; swapped = 0;
    }
}
