/* Waits that end after a time, and tries: each may fail at any time when it would wait, and never when it would not. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
pthread_spinlock_t spin;
sem_t s;
mtx_t m;
cnd_t c;
struct timespec limit;
int item, got, late, again, left;

void *other(void *arg)
{
    (void)arg;
#if defined SEMAPHORE
    sem_post(&s);
#elif defined CONDITION
    mtx_lock(&m);
    item = 1;
    cnd_signal(&c);
    mtx_unlock(&m);
#elif defined WRITER
    pthread_rwlock_wrlock(&l);
    item = 1;
    pthread_rwlock_unlock(&l);
#elif defined SPIN
    pthread_spin_lock(&spin);
    item = 1;
    pthread_spin_unlock(&spin);
#endif
    return NULL;
}

int main(void)
{
    pthread_t t;
    sem_init(&s, 0, 0);
    mtx_init(&m, mtx_timed);
    cnd_init(&c);
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&t, NULL, other, NULL);
#if defined SEMAPHORE
    if (sem_timedwait(&s, &limit) == 0)
        got = 1;
    else
        late = errno == ETIMEDOUT;
#elif defined CONDITION
    mtx_lock(&m);
    while (!item && !late)
        if (cnd_timedwait(&c, &m, &limit) == thrd_timedout)
            late = 1;
    got = item;
    mtx_unlock(&m);
#elif defined WRITER
    if (pthread_rwlock_timedrdlock(&l, &limit) == 0)
        got = 1, pthread_rwlock_unlock(&l);
    else
        late = 1;
#elif defined SPIN
    if (pthread_spin_trylock(&spin) == 0)
        got = 1, pthread_spin_unlock(&spin);
    else
        late = 1;
#elif defined UPGRADE
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_wrlock(&l);
    got = 1;
#elif defined DOWNGRADE
    pthread_rwlock_wrlock(&l);
    pthread_rwlock_rdlock(&l);
    got = 1;
#endif
    pthread_join(t, NULL);
    again = sem_trywait(&s) == 0;
    sem_getvalue(&s, &left);
    return 0;
}
