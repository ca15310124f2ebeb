/* A thread that does not get the lock does something else instead.
 * WRONG: it uses what the lock guards anyway. */
#include <errno.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int users;
int skipped;

static void use(void)
{
    users++;
    users--;
}

static void *polite(void *unused)
{
    if (pthread_mutex_trylock(&lock) == EBUSY) {
#ifdef WRONG
        use();
#else
        skipped = 1;
#endif
        return unused;
    }
    use();
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *patient(void *unused)
{
    pthread_mutex_lock(&lock);
    use();
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, polite, 0);
    pthread_create(&b, 0, patient, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
