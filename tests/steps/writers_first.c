#include <pthread.h>
#include <stdbool.h>
struct rwlock { pthread_mutex_t lock; pthread_cond_t readers_ok, writers_ok; int readers; bool writer; int waiting_writers; };
static struct rwlock rw = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, false, 0 };
int reading, writing, wrote;
void rw_read_lock(struct rwlock *l)
{
    pthread_mutex_lock(&l->lock);
    while (l->writer || l->waiting_writers > 0)
        pthread_cond_wait(&l->readers_ok, &l->lock);
    l->readers++;
    pthread_mutex_unlock(&l->lock);
}
void rw_read_unlock(struct rwlock *l)
{
    pthread_mutex_lock(&l->lock);
    if (--l->readers == 0)
        pthread_cond_signal(&l->writers_ok);
    pthread_mutex_unlock(&l->lock);
}
void rw_write_lock(struct rwlock *l)
{
    pthread_mutex_lock(&l->lock);
    l->waiting_writers++;
#ifdef WRONG
    while (l->writer)
#else
    while (l->writer || l->readers > 0)
#endif
        pthread_cond_wait(&l->writers_ok, &l->lock);
    l->waiting_writers--;
    l->writer = true;
    pthread_mutex_unlock(&l->lock);
}
void rw_write_unlock(struct rwlock *l)
{
    pthread_mutex_lock(&l->lock);
    l->writer = false;
    if (l->waiting_writers > 0) pthread_cond_signal(&l->writers_ok);
    else pthread_cond_broadcast(&l->readers_ok);
    pthread_mutex_unlock(&l->lock);
}
static void *reader(void *p)
{
    (void)p;
    while (1) {
        rw_read_lock(&rw);
        __atomic_add_fetch(&reading, 1, __ATOMIC_SEQ_CST);
        __atomic_sub_fetch(&reading, 1, __ATOMIC_SEQ_CST);
        rw_read_unlock(&rw);
    }
}
static void *writer(void *p)
{
    (void)p;
    while (1) {
        rw_write_lock(&rw);
        writing = 1; wrote = 1; wrote = 0; writing = 0;
        rw_write_unlock(&rw);
    }
}
int main(void)
{
    pthread_t r1, r2, w;
    pthread_create(&r1, NULL, reader, NULL);
    pthread_create(&r2, NULL, reader, NULL);
    pthread_create(&w, NULL, writer, NULL);
    pthread_join(r1, NULL); pthread_join(r2, NULL); pthread_join(w, NULL);
    return 0;
}
