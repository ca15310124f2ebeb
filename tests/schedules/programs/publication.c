/* An object is made once and published by a flag.
 * WRONG: the flag is set before the object is complete. */
#include <assert.h>
#include <pthread.h>

struct configuration {
    int width, height;
};

static struct configuration current;
static int ready;
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

static void make(void)
{
#ifdef WRONG
    ready = 1;
    current.width = 4;
    current.height = 3;
#else
    current.width = 4;
    current.height = 3;
    ready = 1;
#endif
}

static struct configuration get(void)
{
    if (!ready) {
        pthread_mutex_lock(&making);
        if (!ready)
            make();
        pthread_mutex_unlock(&making);
    }
    return current;
}

static void *reader(void *unused)
{
    struct configuration c = get();
    assert(c.width * c.height == 12);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
