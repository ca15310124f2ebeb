/* A stack in an array under a mutex, with one thread that fills and one that empties it.
 * WRONG: the fill level is tested before the mutex is locked; a second consumer may come between. */
#include <assert.h>
#include <pthread.h>

#define SIZE 4

static int items[SIZE];
static int level;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void push(int x)
{
    pthread_mutex_lock(&lock);
    assert(level < SIZE);
    items[level] = x;
    level++;
    pthread_mutex_unlock(&lock);
}

static int pop(int *x)
{
    int found = 0;
#ifdef WRONG
    if (level == 0)
        return 0;
    pthread_mutex_lock(&lock);
    {
#else
    pthread_mutex_lock(&lock);
    if (level > 0) {
#endif
        level--;
        assert(level >= 0);
        *x = items[level];
        found = 1;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

static void *fill(void *unused)
{
    push(1);
    return unused;
}

static void *drain(void *unused)
{
    int x = 1;
    if (pop(&x))
        assert(x == 1);
    return unused;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, 0, fill, 0);
    pthread_create(&b, 0, drain, 0);
    pthread_create(&c, 0, drain, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
