/* A hash table of chains in allocated memory, with a lock for each bucket.
 * WRONG: the chain is searched before the lock is taken, so that a key may come in twice. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define BUCKETS 2

struct node {
    int key, value;
    struct node *next;
};

struct bucket {
    pthread_mutex_t lock;
    struct node *head;
};

static struct bucket *table;

static struct node *find(struct bucket *b, int key)
{
    struct node *n;
    for (n = b->head; n; n = n->next)
        if (n->key == key)
            break;
    return n;
}

static void put(int key, int value)
{
    struct bucket *b = &table[key % BUCKETS];
    struct node *n;
#ifdef WRONG
    n = find(b, key);
    pthread_mutex_lock(&b->lock);
#else
    pthread_mutex_lock(&b->lock);
    n = find(b, key);
#endif
    if (n) {
        n->value = value;
    } else if ((n = malloc(sizeof *n)) != NULL) {
        n->key = key;
        n->value = value;
        n->next = b->head;
        b->head = n;
    }
    pthread_mutex_unlock(&b->lock);
}

static void *one(void *unused)
{
    put(1, 10);
    put(2, 20);
    return unused;
}

static void *other(void *unused)
{
    put(1, 11);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    int count = 0;
    table = malloc(BUCKETS * sizeof *table);
    if (table == NULL)
        return 1;
    for (int i = 0; i < BUCKETS; i++) {
        pthread_mutex_init(&table[i].lock, NULL);
        table[i].head = NULL;
    }
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, other, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    for (int i = 0; i < BUCKETS; i++)
        for (struct node *n = table[i].head; n != NULL; n = n->next)
            count++;
    assert(count <= 2);
    return 0;
}
