#include <pthread.h>
#include <stdbool.h>
#define QUEUE 2
#define WORKERS 2
struct job { void (*fn)(int); int arg; };
struct pool {
    pthread_mutex_t mtx;
    pthread_cond_t more, space;
    struct job jobs[QUEUE];
    unsigned head, count;
    bool stop;
    pthread_t th[WORKERS];
};
static struct pool pool;
static int done_jobs;
int finished, total, depth;
static void work(int arg)
{
    (void)arg;
    __sync_fetch_and_add(&done_jobs, 1);
}
static void *worker(void *p)
{
    struct pool *pl = p;
    for (;;) {
        pthread_mutex_lock(&pl->mtx);
        while (pl->count == 0 && !pl->stop) pthread_cond_wait(&pl->more, &pl->mtx);
        if (pl->count == 0) { pthread_mutex_unlock(&pl->mtx); break; }
        struct job j = pl->jobs[pl->head];
        pl->head = (pl->head + 1) % QUEUE;
        pl->count--; depth = pl->count;
        pthread_cond_signal(&pl->space);
        pthread_mutex_unlock(&pl->mtx);
        j.fn(j.arg);
    }
    return NULL;
}
static void submit(struct pool *pl, void (*fn)(int), int arg)
{
    pthread_mutex_lock(&pl->mtx);
    while (pl->count == QUEUE) pthread_cond_wait(&pl->space, &pl->mtx);
    pl->jobs[(pl->head + pl->count) % QUEUE] = (struct job){ fn, arg };
    pl->count++; depth = pl->count;
    pthread_cond_signal(&pl->more);
    pthread_mutex_unlock(&pl->mtx);
}
int main(void)
{
    pthread_mutex_init(&pool.mtx, NULL);
    pthread_cond_init(&pool.more, NULL);
    pthread_cond_init(&pool.space, NULL);
    for (int i = 0; i < WORKERS; i++) pthread_create(&pool.th[i], NULL, worker, &pool);
    for (int i = 0; i < 3; i++) submit(&pool, work, i);
    pthread_mutex_lock(&pool.mtx);
    pool.stop = true;
#ifdef WRONG
    pthread_cond_signal(&pool.more);
#else
    pthread_cond_broadcast(&pool.more);
#endif
    pthread_mutex_unlock(&pool.mtx);
    for (int i = 0; i < WORKERS; i++) pthread_join(pool.th[i], NULL);
    total = done_jobs;
    finished = 1;
    return 0;
}
