/* An error that needs a certain order of three threads.
 * WRONG: the third one accepts one step less than there can be. */
#include <pthread.h>

#ifdef WRONG
#define TOO_MUCH 3
#else
#define TOO_MUCH 4
#endif

extern void abort(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int data;

void reach_error(void)
{
ERROR:
    abort();
}

static void *one(void *unused)
{
    pthread_mutex_lock(&mutex);
    data++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *two(void *unused)
{
    pthread_mutex_lock(&mutex);
    data += 2;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *three(void *unused)
{
    pthread_mutex_lock(&mutex);
    if (data >= TOO_MUCH)
        reach_error();
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&c, 0, three, 0);
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
