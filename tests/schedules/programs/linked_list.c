/* Two threads insert into a sorted list of allocated nodes, hand over hand.
 * WRONG: the place is searched before the lock is taken. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct element {
    int key;
    struct element *next;
} element;

static element *list;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static element **place(int key)
{
    element **at = &list;
    while (*at && (*at)->key < key)
        at = &(*at)->next;
    return at;
}

static void *insert(void *key)
{
    element *fresh = malloc(sizeof(element));
    element **at;
    if (!fresh)
        exit(1);
    fresh->key = *(int *)key;
#ifdef WRONG
    at = place(fresh->key);
    pthread_mutex_lock(&guard);
#else
    pthread_mutex_lock(&guard);
    at = place(fresh->key);
#endif
    fresh->next = *at;
    *at = fresh;
    pthread_mutex_unlock(&guard);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    int one = 1, two = 2;
    pthread_create(&a, 0, insert, &two);
    pthread_create(&b, 0, insert, &one);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(list->key == 1);
    assert(list->next && list->next->key == 2);
    return 0;
}
