/* A function that locks calls another one that locks the same mutex.
 * WRONG: the mutex is an ordinary one, so that the thread waits for itself. */
#include <pthread.h>

int done;
static pthread_mutex_t mutex;
static int depth;

static void inner(void)
{
    pthread_mutex_lock(&mutex);
    depth++;
    pthread_mutex_unlock(&mutex);
}

static void outer(void)
{
    pthread_mutex_lock(&mutex);
    inner();
    depth--;
    pthread_mutex_unlock(&mutex);
}

static void *caller(void *unused)
{
    outer();
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
#ifndef WRONG
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
#endif
    pthread_mutex_init(&mutex, &kind);
    pthread_create(&a, 0, caller, 0);
    pthread_create(&b, 0, caller, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (depth == 0)
        done = 1;
    return 0;
}
