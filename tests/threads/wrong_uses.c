/* Locks of other kinds than plain mutexes with a name, used wrongly and rightly: read-write locks,
 * spin locks, barriers, locks in arrays and in allocated memory, locks that are destroyed too early. */
#include <pthread.h>
#include <stdlib.h>
#include <threads.h>

pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
pthread_spinlock_t spin;
pthread_barrier_t barrier;
pthread_mutex_t forks[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
mtx_t c11;
struct node { pthread_mutex_t lock; struct node *next; int value; } *head;
int done, shared, side, count;

void *routine(void *arg)
{
    (void)arg;
#if defined SHARE_TWICE
    pthread_rwlock_rdlock(&rw);
    pthread_rwlock_rdlock(&rw);
    shared = 1;
    pthread_rwlock_unlock(&rw);
    pthread_rwlock_unlock(&rw);
#ifdef WRONG
    pthread_rwlock_unlock(&rw);
#endif
#elif defined SHARE_OF_OTHERS
#ifndef WRONG
    pthread_rwlock_rdlock(&rw);
#endif
    pthread_rwlock_unlock(&rw);
#elif defined SHARE_DESTROYED
    pthread_rwlock_rdlock(&rw);
    shared = 1;
    pthread_rwlock_unlock(&rw);
#elif defined SPIN_FOREIGN
#ifndef WRONG
    pthread_spin_lock(&spin);
#endif
    pthread_spin_unlock(&spin);
#elif defined SPIN_AGAIN
    pthread_spin_lock(&spin);
#ifdef WRONG
    pthread_spin_lock(&spin);
#endif
    pthread_spin_unlock(&spin);
#elif defined BARRIER_EARLY
    pthread_barrier_wait(&barrier);
#elif defined FORKS
    int mine = side;
    pthread_mutex_lock(&forks[mine]);
#ifdef WRONG
    mine = 1 - mine;
#endif
    pthread_mutex_unlock(&forks[mine]);
#elif defined NODES
    pthread_mutex_lock(&head->lock);
    pthread_mutex_lock(&head->next->lock);
    head->value++;
    pthread_mutex_unlock(&head->lock);
#ifdef WRONG
    pthread_mutex_unlock(&head->lock);
#else
    pthread_mutex_unlock(&head->next->lock);
#endif
#elif defined GIVEN_EARLY
    pthread_mutex_lock(&guard);
    count = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&guard);
#elif defined DESTROYED_LATE
    pthread_mutex_lock(&guard);
    count++;
    pthread_mutex_unlock(&guard);
#elif defined WAITERS
    pthread_mutex_lock(&guard);
    if (!count)
        pthread_cond_wait(&changed, &guard);
    pthread_mutex_unlock(&guard);
#elif defined TRIED
#ifdef WRONG
    pthread_mutex_trylock(&guard);
    pthread_mutex_unlock(&guard);
#else
    if (pthread_mutex_trylock(&guard) == 0)
        pthread_mutex_unlock(&guard);
#endif
#elif defined STANDARD
    mtx_lock(&c11);
    mtx_unlock(&c11);
#ifdef WRONG
    mtx_unlock(&c11);
#endif
#elif defined SOMETIMES
    if (shared)
        pthread_mutex_lock(&guard);
    count++;
#ifdef WRONG
    pthread_mutex_unlock(&guard);
#else
    if (shared)
        pthread_mutex_unlock(&guard);
#endif
#elif defined IN_LOOP
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&guard);
        count++;
#ifdef WRONG
        if (i == 1)
            continue;
#endif
        pthread_mutex_unlock(&guard);
    }
#ifdef WRONG
    pthread_mutex_lock(&guard);
#endif
#endif
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_spin_init(&spin, 0);
    pthread_barrier_init(&barrier, NULL, 3);
    mtx_init(&c11, mtx_plain);
#if defined NODES
    head = malloc(sizeof *head);
    head->next = malloc(sizeof *head);
    pthread_mutex_init(&head->lock, NULL);
    pthread_mutex_init(&head->next->lock, NULL);
#endif
#if defined SHARE_OF_OTHERS
    pthread_rwlock_rdlock(&rw);
#elif defined SPIN_FOREIGN && defined WRONG
    pthread_spin_lock(&spin);
#elif defined TRIED
    pthread_mutex_lock(&guard);
#endif
    pthread_create(&a, NULL, routine, NULL);
    pthread_create(&b, NULL, routine, NULL);
#if defined SOMETIMES && !defined WRONG
    ;
#elif defined SOMETIMES
    shared = 1;
#endif
#if defined TRIED
    pthread_mutex_unlock(&guard);
#endif
#if defined SHARE_DESTROYED && defined WRONG
    pthread_rwlock_destroy(&rw);
#elif defined BARRIER_EARLY
#ifndef WRONG
    pthread_barrier_wait(&barrier);
#endif
    pthread_barrier_destroy(&barrier);
#elif defined GIVEN_EARLY
    pthread_mutex_lock(&guard);
    while (!count)
        pthread_cond_wait(&changed, &guard);
    pthread_mutex_unlock(&guard);
#ifdef WRONG
    pthread_mutex_destroy(&guard);
#endif
#elif defined DESTROYED_LATE && defined WRONG
    pthread_join(a, NULL);
    pthread_mutex_destroy(&guard);
#elif defined WAITERS
#ifdef WRONG
    pthread_cond_destroy(&changed);
#endif
    pthread_mutex_lock(&guard);
    count = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&guard);
#endif
    pthread_join(a, NULL);
    pthread_join(b, NULL);
#if defined SHARE_DESTROYED && !defined WRONG
    pthread_rwlock_destroy(&rw);
#elif defined DESTROYED_LATE || defined GIVEN_EARLY
    pthread_mutex_destroy(&guard);
#elif defined WAITERS && !defined WRONG
    pthread_cond_destroy(&changed);
#endif
    done = 1;
    return 0;
}
