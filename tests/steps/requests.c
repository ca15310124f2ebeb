/* A dispatcher allocates a request, a worker answers it, the dispatcher frees it. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct request {
    int number;
    int done;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t posted = PTHREAD_COND_INITIALIZER;
static pthread_cond_t answered = PTHREAD_COND_INITIALIZER;
static struct request *pending;
int answers, wrong;

static void *worker(void *unused)
{
    (void)unused;
    for (;;) {
        struct request *r;
        pthread_mutex_lock(&lock);
        while (pending == NULL)
            pthread_cond_wait(&posted, &lock);
        r = pending;
        pending = NULL;
#ifdef WRONG
        pthread_cond_signal(&answered);
        pthread_mutex_unlock(&lock);
        r->done = 1;
#else
        r->done = 1;
        pthread_cond_signal(&answered);
        pthread_mutex_unlock(&lock);
#endif
    }
    return NULL;
}

static void *dispatcher(void *unused)
{
    int n = 0;
    (void)unused;
    for (;;) {
        struct request *r = malloc(sizeof(*r));
        if (r == NULL) {
            perror("malloc");
            exit(1);
        }
        r->number = n;
        r->done = 0;
        n = !n;
        pthread_mutex_lock(&lock);
        pending = r;
        pthread_cond_signal(&posted);
#ifdef WRONG
        while (pending != NULL)
#else
        while (!r->done)
#endif
            pthread_cond_wait(&answered, &lock);
        pthread_mutex_unlock(&lock);
        answers = 1;
        answers = 0;
        free(r);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    if (pthread_create(&a, NULL, worker, NULL) != 0 || pthread_create(&b, NULL, dispatcher, NULL) != 0) {
        fprintf(stderr, "cannot create threads\n");
        return EXIT_FAILURE;
    }
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return EXIT_SUCCESS;
}
