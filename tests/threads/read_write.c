/* A read-write lock made of a mutex and two numbers. With RACE, a writer does not look for readers; with LEAK, a reader stays
   counted. */
#include <pthread.h>
#include <sched.h>

int readers, writers, reads, writes, want, have;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void read_lock(void)
{
    for (;;) {
        pthread_mutex_lock(&m);
        if (writers == 0) {
            readers++;
            pthread_mutex_unlock(&m);
            return;
        }
        pthread_mutex_unlock(&m);
        sched_yield();
    }
}

static void read_unlock(void)
{
    pthread_mutex_lock(&m);
#if !defined LEAK
    readers--;
#endif
    pthread_mutex_unlock(&m);
}

static int try_write_lock(void)
{
    int taken = 0;
    pthread_mutex_lock(&m);
#if defined RACE
    if (writers == 0) {
#else
    if (writers == 0 && readers == 0) {
#endif
        writers = 1;
        taken = 1;
    }
    pthread_mutex_unlock(&m);
    return taken;
}

static void write_unlock(void)
{
    pthread_mutex_lock(&m);
    writers = 0;
    pthread_mutex_unlock(&m);
}

void *reader(void *arg)
{
    (void)arg;
    read_lock();
    reads = 1;
    reads = 0;
    read_unlock();
    return NULL;
}

void *writer(void *arg)
{
    (void)arg;
    want = 1;
    while (!try_write_lock())
        sched_yield();
    have = 1;
    writes = 1;
    writes = 0;
    write_unlock();
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
