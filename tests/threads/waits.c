/* Loops that wait in other ways than by reading a flag: they hold the lock at their head, count, back off, ask a function, or
   wait for a condition with a time limit. With DEAD, what they wait for never comes; with TRY, another thread tries the lock
   under which they look. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

volatile int ready, flags[2];
int spin, want, have, late, timeouts, failed, places, got, tries;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
pthread_spinlock_t sp;

static void lock(void) { pthread_mutex_lock(&m); }
static void unlock(void) { pthread_mutex_unlock(&m); }

static int is_ready(void)
{
    lock();
    int now = ready;
    unlock();
    return now;
}

static int take(pthread_mutex_t *lock, int *into)
{
    pthread_mutex_lock(lock);
    if (places == 0) {
        pthread_mutex_unlock(lock);
        return 0;
    }
    places--;
    *into = 7;
    pthread_mutex_unlock(lock);
    return 1;
}

static void pause_a_little(void)
{
    for (volatile int i = 0; i < 1000; i++)
        ;
}

static void wait_for_it(void)
{
#if defined AT_HEAD
    pthread_mutex_lock(&m);
    while (!ready) {
        pthread_mutex_unlock(&m);
        sched_yield();
        pthread_mutex_lock(&m);
    }
    pthread_mutex_unlock(&m);
#elif defined WRAPPED
    lock();
    while (!ready) {
        unlock();
        lock();
    }
    unlock();
#elif defined COUNT
    unsigned attempts = 0;
    while (!ready) {
        attempts += 1;
        if (attempts % 10 == 0)
            printf("%u attempts\n", attempts);
    }
#elif defined BACK_OFF
    int limit = 1;
    while (__sync_lock_test_and_set(&spin, 1)) {
        for (int i = 0; i < limit; i++)
            __builtin_ia32_pause();
        if (limit < 64)
            limit *= 2;
    }
#elif defined PAUSE
    while (!ready)
        pause_a_little();
#elif defined LATE
    int attempts = 0;
    while (!ready)
        attempts++;
    if (attempts > 0)
        late = 1;
#elif defined STATISTICS
    while (!ready)
        tries++;
#elif defined TIMED
    struct timespec until;
    pthread_mutex_lock(&m);
    while (!ready) {
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += 1;
        pthread_cond_timedwait(&c, &m, &until);
    }
    pthread_mutex_unlock(&m);
#elif defined TIMED_OUT
    struct timespec until = {1, 0};
    int why = 0;
    pthread_mutex_lock(&m);
    while (!ready) {
        why = pthread_cond_timedwait(&c, &m, &until);
        if (why == ETIMEDOUT)
            timeouts = 1;
    }
    pthread_mutex_unlock(&m);
#elif defined ONE_LOOK
    struct timespec until = {1, 0};
    for (;;) {
        pthread_mutex_lock(&m);
        if (!ready)
            pthread_cond_timedwait(&c, &m, &until);
        int now = ready;
        pthread_mutex_unlock(&m);
        if (now)
            break;
    }
#elif defined ASKED
    while (!is_ready())
        usleep(10);
#elif defined TAKEN
    while (!take(&m, &got))
        sched_yield();
#elif defined SWITCHED
    for (int done = 0; !done;) {
        switch (ready) {
        case 0:
            sched_yield();
            break;
        default:
            done = 1;
        }
    }
#elif defined READ_LOCKED
    for (;;) {
        pthread_rwlock_rdlock(&rw);
        int now = ready;
        pthread_rwlock_unlock(&rw);
        if (now)
            break;
    }
#elif defined SPIN_LOCKED
    int now;
    do {
        struct timespec little = {0, 1000};
        nanosleep(&little, NULL);
        pthread_spin_lock(&sp);
        now = ready;
        pthread_spin_unlock(&sp);
    } while (!now);
#elif defined LEAVES_EARLY
    for (;;) {
        pthread_mutex_lock(&m);
        if (places == 0) {
            pthread_mutex_unlock(&m);
            continue;
        }
        int taken = places--;
        got = taken + 6;
        pthread_mutex_unlock(&m);
        break;
    }
#elif defined ELEMENTS
    for (int i = 0; i < 2; i++)
        while (!flags[i] || (i == 1 && !flags[0]))
            ;
#endif
}

void *first(void *arg)
{
    (void)arg;
    want = 1;
    wait_for_it();
    have = 1;
    return NULL;
}

void *second(void *arg)
{
    (void)arg;
    spin = 1;
#if defined TRY
    if (pthread_mutex_trylock(&m) != 0) {
        failed = 1;
        pthread_mutex_lock(&m);
    }
#else
    pthread_mutex_lock(&m);
#endif
    pthread_rwlock_wrlock(&rw);
    pthread_spin_lock(&sp);
#if !defined DEAD
    flags[0] = flags[1] = 1;
    ready = 1;
    places = 1;
    spin = 0;
#endif
    pthread_spin_unlock(&sp);
    pthread_rwlock_unlock(&rw);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_spin_init(&sp, 0);
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
