/* A pool of workers takes jobs out of a queue of bounded length; the pool, with its lock, is one structure.
 * WRONG: a worker is counted as running only after it has given the lock back, so that nobody may seem to work. */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>

#define WORKERS 2
#define CAPACITY 2

typedef void (*job_fn)(void *);

struct job {
    job_fn run;
    void *arg;
    struct job *next;
};

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t not_empty;
    pthread_cond_t not_full;
    pthread_cond_t idle;
    struct job *head, *tail;
    size_t queued;
    size_t running;
    bool closing;
    pthread_t workers[WORKERS];
};

static int total;
static pthread_mutex_t total_lock = PTHREAD_MUTEX_INITIALIZER;
int submitted, finished, queued_now, down;

static void *worker(void *opaque)
{
    struct pool *p = opaque;
    for (;;) {
        pthread_mutex_lock(&p->lock);
        while (p->head == NULL && !p->closing)
            pthread_cond_wait(&p->not_empty, &p->lock);
        if (p->head == NULL) {
            pthread_mutex_unlock(&p->lock);
            break;
        }
        struct job *j = p->head;
        p->head = j->next;
        if (p->head == NULL)
            p->tail = NULL;
        p->queued--;
        queued_now = (int)p->queued;
#ifndef WRONG
        p->running++;
#endif
        pthread_cond_signal(&p->not_full);
        pthread_mutex_unlock(&p->lock);
#ifdef WRONG
        pthread_mutex_lock(&p->lock);
        p->running++;
        pthread_mutex_unlock(&p->lock);
#endif

        j->run(j->arg);
        free(j);

        pthread_mutex_lock(&p->lock);
        finished++;
        p->running--;
        if (p->running == 0 && p->queued == 0)
            pthread_cond_broadcast(&p->idle);
        pthread_mutex_unlock(&p->lock);
    }
    return NULL;
}

static int pool_init(struct pool *p)
{
    memset(p, 0, sizeof *p);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->not_empty, NULL);
    pthread_cond_init(&p->not_full, NULL);
    pthread_cond_init(&p->idle, NULL);
    for (int i = 0; i < WORKERS; i++) {
        int err = pthread_create(&p->workers[i], NULL, worker, p);
        if (err != 0) {
            fprintf(stderr, "cannot start worker %d: %s\n", i, strerror(err));
            return -1;
        }
    }
    return 0;
}

static int pool_submit(struct pool *p, job_fn run, void *arg)
{
    struct job *j = malloc(sizeof *j);
    if (j == NULL)
        return -ENOMEM;
    j->run = run;
    j->arg = arg;
    j->next = NULL;
    pthread_mutex_lock(&p->lock);
    while (p->queued == CAPACITY)
        pthread_cond_wait(&p->not_full, &p->lock);
    if (p->tail)
        p->tail->next = j;
    else
        p->head = j;
    p->tail = j;
    p->queued++;
    queued_now = (int)p->queued;
    submitted++;
    pthread_cond_signal(&p->not_empty);
    pthread_mutex_unlock(&p->lock);
    return 0;
}

static void pool_wait(struct pool *p)
{
    pthread_mutex_lock(&p->lock);
    while (p->queued > 0 || p->running > 0)
        pthread_cond_wait(&p->idle, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

static void pool_close(struct pool *p)
{
    pthread_mutex_lock(&p->lock);
    p->closing = true;
    pthread_cond_broadcast(&p->not_empty);
    pthread_mutex_unlock(&p->lock);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(p->workers[i], NULL);
    pthread_mutex_destroy(&p->lock);
    down = 1;
}

static void add(void *arg)
{
    int n = *(int *)arg;
    pthread_mutex_lock(&total_lock);
    total += n;
    pthread_mutex_unlock(&total_lock);
}

static void twice(void *arg)
{
    pthread_mutex_lock(&total_lock);
    total += 2 * *(int *)arg;
    pthread_mutex_unlock(&total_lock);
}

int main(void)
{
    static struct pool p;
    int numbers[3] = { 1, 2, 3 };
    if (pool_init(&p) != 0)
        return EXIT_FAILURE;
    for (int i = 0; i < 2; i++)
        if (pool_submit(&p, i % 2 ? twice : add, &numbers[i]) != 0)
            return EXIT_FAILURE;
    pool_wait(&p);
    assert(total == 5);
    pool_close(&p);
    printf("total %d\n", total);
    return 0;
}
