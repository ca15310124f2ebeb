#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready;
int value, starts, got0, got1;

static int get(void)
{
    if (!ready) {
        pthread_mutex_lock(&lock);
#ifdef WRONG
        {
#else
        if (!ready) {
#endif
            value = 7;
            starts++;
            ready = 1;
        }
        pthread_mutex_unlock(&lock);
    }
    return value;
}

static void *first(void *argument)
{
    got0 = get();
    return argument;
}

static void *second(void *argument)
{
    got1 = get();
    return argument;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
