/* Data of threads under a key: the key's function gets what each thread leaves behind, and counts it.
 * WRONG: one thread takes its data away before it ends. */
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int left, data[2];

static void leaves(void *value)
{
    pthread_mutex_lock(&lock);
    left += *(int *)value;
    pthread_mutex_unlock(&lock);
}

static void *works(void *mine)
{
    *(int *)mine = 1;
    pthread_setspecific(key, mine);
#ifdef WRONG
    if (mine == &data[1])
        pthread_setspecific(key, 0);
#endif
    return 0;
}

int main(void)
{
    pthread_t a, b;
    if (pthread_key_create(&key, leaves))
        return 1;
    pthread_create(&a, 0, works, &data[0]);
    pthread_create(&b, 0, works, &data[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(left == 2);
    return 0;
}
