/* A pool of threads runs functions out of a list of jobs.
 * WRONG: one of the functions adds to the total without its lock. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

typedef void (*function_t)(void *);

typedef struct job {
    function_t run;
    void *argument;
    struct job *next;
} job_t;

static struct {
    pthread_mutex_t lock;
    pthread_cond_t more;
    job_t *head, *tail;
    int stop;
} pool = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, NULL, 0};

static pthread_mutex_t total_lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void add(void *p)
{
#ifdef WRONG
    int old = total;
    total = old + *(int *)p;
#else
    pthread_mutex_lock(&total_lock);
    total += *(int *)p;
    pthread_mutex_unlock(&total_lock);
#endif
}

static void add_twice(void *p)
{
    pthread_mutex_lock(&total_lock);
    total += 2 * *(int *)p;
    pthread_mutex_unlock(&total_lock);
}

static void submit(function_t run, void *argument)
{
    job_t *job = (job_t *)malloc(sizeof(job_t));
    if (!job)
        abort();
    job->run = run;
    job->argument = argument;
    job->next = NULL;
    pthread_mutex_lock(&pool.lock);
    if (pool.tail)
        pool.tail->next = job;
    else
        pool.head = job;
    pool.tail = job;
    pthread_cond_signal(&pool.more);
    pthread_mutex_unlock(&pool.lock);
}

static void *worker(void *unused)
{
    for (;;) {
        job_t *job;
        pthread_mutex_lock(&pool.lock);
        while (pool.head == NULL && !pool.stop)
            pthread_cond_wait(&pool.more, &pool.lock);
        job = pool.head;
        if (job == NULL) {
            pthread_mutex_unlock(&pool.lock);
            return unused;
        }
        pool.head = job->next;
        if (!pool.head)
            pool.tail = NULL;
        pthread_mutex_unlock(&pool.lock);
        job->run(job->argument);
        free(job);
    }
}

int main(void)
{
    pthread_t threads[2];
    int values[2] = {1, 2};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    submit(add, &values[0]);
    submit(add_twice, &values[1]);
    pthread_mutex_lock(&pool.lock);
    pool.stop = 1;
    pthread_cond_broadcast(&pool.more);
    pthread_mutex_unlock(&pool.lock);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(total == 5);
    return 0;
}
