/* A hash map with a lock for each bucket and chains of allocated entries.
 * WRONG: the lock is that of the key, not that of the bucket. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define BUCKETS 2

struct entry {
    int key, count;
    struct entry *next;
};

static struct entry *buckets[BUCKETS];
static pthread_mutex_t locks[4];

static unsigned bucket(int key) { return (unsigned)key % BUCKETS; }

static pthread_mutex_t *lock_of(int key)
{
#ifdef WRONG
    return &locks[key];
#else
    return &locks[bucket(key)];
#endif
}

static void count(int key)
{
    pthread_mutex_t *lock = lock_of(key);
    struct entry *e;
    pthread_mutex_lock(lock);
    for (e = buckets[bucket(key)]; e && e->key != key; e = e->next)
        ;
    if (!e) {
        e = malloc(sizeof *e);
        e->key = key;
        e->count = 0;
        e->next = buckets[bucket(key)];
        buckets[bucket(key)] = e;
    }
    e->count++;
    pthread_mutex_unlock(lock);
}

static void *user(void *argument)
{
    count(*(int *)argument);
    return 0;
}

int main(void)
{
    pthread_t s, t;
    int one = 1, three = 3, found = 0;
    for (int i = 0; i < 4; i++)
        pthread_mutex_init(&locks[i], 0);
    pthread_create(&s, 0, user, &one);
    pthread_create(&t, 0, user, &three);
    pthread_join(s, 0);
    pthread_join(t, 0);
    for (struct entry *e = buckets[1]; e; e = e->next)
        found += e->count;
    assert(found == 2);
    return 0;
}
