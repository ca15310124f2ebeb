#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#define WORKERS 2
#define CAPACITY 2
typedef void (*task_fn)(void *);
struct task { task_fn run; void *arg; };
struct pool {
    pthread_mutex_t mutex;
    pthread_cond_t not_empty, not_full;
    struct task queue[CAPACITY];
    int head, count;
    bool closing;
    pthread_t workers[WORKERS];
};
static struct pool pool;
int ran, finished;
static void *worker_main(void *arg)
{
    struct pool *p = arg;
    for (;;) {
        pthread_mutex_lock(&p->mutex);
        while (p->count == 0 && !p->closing)
            pthread_cond_wait(&p->not_empty, &p->mutex);
        if (p->count == 0) {
            pthread_mutex_unlock(&p->mutex);
            return NULL;
        }
        struct task t = p->queue[p->head];
        p->head = (p->head + 1) % CAPACITY;
        p->count--;
        pthread_cond_signal(&p->not_full);
        pthread_mutex_unlock(&p->mutex);
        t.run(t.arg);
    }
}
static void pool_init(struct pool *p)
{
    memset(p, 0, sizeof *p);
    pthread_mutex_init(&p->mutex, NULL);
    pthread_cond_init(&p->not_empty, NULL);
    pthread_cond_init(&p->not_full, NULL);
    for (int i = 0; i < WORKERS; i++)
        if (pthread_create(&p->workers[i], NULL, worker_main, p) != 0) abort();
}
static void pool_submit(struct pool *p, task_fn run, void *arg)
{
    pthread_mutex_lock(&p->mutex);
    while (p->count == CAPACITY)
        pthread_cond_wait(&p->not_full, &p->mutex);
    p->queue[(p->head + p->count) % CAPACITY] = (struct task){ run, arg };
    p->count++;
    pthread_cond_signal(&p->not_empty);
    pthread_mutex_unlock(&p->mutex);
}
static void pool_shutdown(struct pool *p)
{
    pthread_mutex_lock(&p->mutex);
    p->closing = true;
#ifndef WRONG
    pthread_cond_broadcast(&p->not_empty);
#endif
    pthread_mutex_unlock(&p->mutex);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(p->workers[i], NULL);
    pthread_mutex_destroy(&p->mutex);
}
static pthread_mutex_t ran_lock = PTHREAD_MUTEX_INITIALIZER;
static void job(void *arg)
{
    pthread_mutex_lock(&ran_lock);
    ran += *(int *)arg;
    pthread_mutex_unlock(&ran_lock);
}
int main(void)
{
    static int one = 1, two = 2;
    pool_init(&pool);
    pool_submit(&pool, job, &one);
    pool_submit(&pool, job, &two);
    pool_submit(&pool, job, &one);
    pool_shutdown(&pool);
    finished = 1;
    return 0;
}
