/* A producer and a consumer with a list of allocated jobs. */
#include <pthread.h>
#include <stdlib.h>

struct job { _Bool number; struct job *next; };

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct job *jobs;
_Bool waiting, done;

void *producer(void *own)
{
    while (1) {
        struct job *job = malloc(sizeof(struct job));
        job->number = 1;
        pthread_mutex_lock(&lock);
        if (waiting == 0) {
            job->next = jobs;
            jobs = job;
            waiting = 1;
            pthread_mutex_unlock(&lock);
        } else {
            pthread_mutex_unlock(&lock);
            free(job);
        }
    }
    return own;
}

void *consumer(void *own)
{
    while (1) {
        pthread_mutex_lock(&lock);
        struct job *job = jobs;
        if (job) {
            jobs = job->next;
            waiting = 0;
        }
        pthread_mutex_unlock(&lock);
        if (job) {
            done = job->number;
            done = 0;
            free(job);
        }
    }
    return own;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, producer, 0);
    pthread_create(&two, 0, consumer, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
