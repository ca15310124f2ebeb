/* A barrier of its own, used again and again, that counts its generations. */
#include <pthread.h>
#define N 2
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cv = PTHREAD_COND_INITIALIZER;
struct barrier { int waiting; int generation; } bar;
static int phase[N];
static void barrier_init(struct barrier *b) { b->waiting = 0; b->generation = 0; }
static void barrier(struct barrier *b) {
    pthread_mutex_lock(&m);
    int g = b->generation;
    if (++b->waiting == N) {
        b->waiting = 0;
        b->generation++;
        pthread_cond_broadcast(&cv);
    } else {
#ifdef WRONG
        if (b->generation != g + 1) g = b->generation;
#else
        while (g == b->generation)
            pthread_cond_wait(&cv, &m);
#endif
    }
    pthread_mutex_unlock(&m);
}
static void *th(void *p) {
    int id = *(int *)p;
    while (1) {
        phase[id] = (phase[id] + 1) % 4;
        barrier(&bar);
    }
    return NULL;
}
int main(void) {
    static int ids[N] = {0, 1};
    pthread_t t[N];
    barrier_init(&bar);
    for (int i = 0; i < N; i++) pthread_create(t + i, NULL, th, ids + i);
    for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
    return 0;
}
