/* A linked list of jobs with callbacks; two workers take them under a lock, and wait for a condition.
 * WRONG: the callback counts without the lock. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct job {
    void (*runs)(int *);
    int *argument;
    struct job *next;
};

static struct job *jobs;
static int closed, done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t some = PTHREAD_COND_INITIALIZER;

static void counts(int *count)
{
#ifdef WRONG
    int known = *count;
    *count = known + 1;
#else
    pthread_mutex_lock(&lock);
    ++*count;
    pthread_mutex_unlock(&lock);
#endif
}

static void submits(void (*runs)(int *), int *argument)
{
    struct job *job = malloc(sizeof *job);
    if (!job)
        abort();
    job->runs = runs;
    job->argument = argument;
    pthread_mutex_lock(&lock);
    job->next = jobs;
    jobs = job;
    pthread_cond_signal(&some);
    pthread_mutex_unlock(&lock);
}

static void *works(void *unused)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        while (!jobs && !closed)
            pthread_cond_wait(&some, &lock);
        struct job *job = jobs;
        if (!job) {
            pthread_mutex_unlock(&lock);
            return unused;
        }
        jobs = job->next;
        pthread_mutex_unlock(&lock);
        job->runs(job->argument);
        free(job);
    }
}

int main(void)
{
    pthread_t workers[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&workers[i], 0, works, 0);
    for (int i = 0; i < 2; i++)
        submits(counts, &done);
    pthread_mutex_lock(&lock);
    closed = 1;
    pthread_cond_broadcast(&some);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 2; i++)
        pthread_join(workers[i], 0);
    assert(done == 2);
    return 0;
}
