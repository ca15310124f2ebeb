/* A ring buffer under a mutex; who finds it full or empty gives up.
 * WRONG: the number of items is read before the mutex is locked. */
#include <assert.h>
#include <pthread.h>

#define SIZE 2

typedef struct {
    int slots[SIZE];
    int first, count;
    pthread_mutex_t lock;
} ring;

static ring shared = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int put(ring *r, int value)
{
    int count, done = 0;
#ifdef WRONG
    count = r->count;
    pthread_mutex_lock(&r->lock);
#else
    pthread_mutex_lock(&r->lock);
    count = r->count;
#endif
    if (count < SIZE) {
        r->slots[(r->first + count) % SIZE] = value;
        r->count = count + 1;
        done = 1;
    }
    pthread_mutex_unlock(&r->lock);
    return done;
}

static void *producer(void *value)
{
    int done = put(&shared, (int)(long)value);
    return (void *)(long)done;
}

int main(void)
{
    pthread_t a, b;
    void *first, *second;
    pthread_create(&a, 0, producer, (void *)7L);
    pthread_create(&b, 0, producer, (void *)8L);
    pthread_join(a, &first);
    pthread_join(b, &second);
    assert((long)first + (long)second == shared.count);
    assert(shared.count == 2);
    return 0;
}
