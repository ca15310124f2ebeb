/* A pair of values under a read-write lock: readers never see a half-written pair.
 * WRONG: the writer locks for reading. */
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static struct {
    int low, high;
} pair;

static void *writer(void *value)
{
    int v = *(int *)value;
#ifdef WRONG
    pthread_rwlock_rdlock(&lock);
#else
    pthread_rwlock_wrlock(&lock);
#endif
    pair.low = v;
    pair.high = v;
    pthread_rwlock_unlock(&lock);
    return 0;
}

static void *reader(void *unused)
{
    int low, high;
    pthread_rwlock_rdlock(&lock);
    low = pair.low;
    high = pair.high;
    pthread_rwlock_unlock(&lock);
    assert(low == high);
    return unused;
}

int main(void)
{
    pthread_t w, r, s;
    int value = 9;
    pthread_create(&w, 0, writer, &value);
    pthread_create(&r, 0, reader, 0);
    pthread_create(&s, 0, reader, 0);
    pthread_join(w, 0);
    pthread_join(r, 0);
    pthread_join(s, 0);
    return 0;
}
