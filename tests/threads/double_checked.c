/* Double-checked locking. With ONCE_CHECKED, nobody looks again under the lock; with EARLY, it counts as made before it is. */
#include <pthread.h>

volatile int made;
int times, value, wrong;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void make(void)
{
#if defined EARLY
    made = 1;
#endif
    times++;
    value = 42;
    made = 1;
}

static void prepare(void)
{
    if (made)
        return;
    pthread_mutex_lock(&m);
#if !defined ONCE_CHECKED
    if (!made)
#endif
        make();
    pthread_mutex_unlock(&m);
}

void *user(void *arg)
{
    (void)arg;
    prepare();
    if (value != 42)
        wrong = 1;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, user, NULL);
    pthread_create(&b, NULL, user, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
