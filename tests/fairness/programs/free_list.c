/* Nodes of a fixed pool go from a free list to a user and back; with -DLEAKS one user keeps its node. */
#include <pthread.h>
struct node { struct node *next; int value; };
static struct node pool[2];
static struct node *free_list;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t freed = PTHREAD_COND_INITIALIZER;
_Bool second_has;
static struct node *take(void)
{
    pthread_mutex_lock(&m);
    while (!free_list)
        pthread_cond_wait(&freed, &m);
    struct node *n = free_list;
    free_list = n->next;
    n->next = 0;
    pthread_mutex_unlock(&m);
    return n;
}
static void give(struct node *n)
{
    pthread_mutex_lock(&m);
    n->next = free_list;
    free_list = n;
    pthread_cond_signal(&freed);
    pthread_mutex_unlock(&m);
}
void *first(void *argument)
{
#ifdef LEAKS
    take();
    take();
#endif
    while (1) {
#ifndef LEAKS
        struct node *a = take();
        a->value = 1;
        give(a);
#else
        argument = argument;
#endif
    }
    return argument;
}
void *second(void *argument)
{
    while (1) {
        struct node *n = take();
        n->value = 2;
        second_has = 1;
        second_has = 0;
        give(n);
    }
    return argument;
}
int main(void)
{
    pthread_t a, b;
    free_list = &pool[0];
    pool[0].next = &pool[1];
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
