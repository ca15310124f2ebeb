#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
static struct node *_Atomic top;
int sum, pops, over;
static void push(int v)
{
    struct node *n = malloc(sizeof *n);
    if (!n) exit(1);
    n->value = v;
    n->next = atomic_load(&top);
#ifdef WRONG
    atomic_store(&top, n);
#else
    while (!atomic_compare_exchange_weak(&top, &n->next, n))
        ;
#endif
}
static int pop(int *v)
{
    struct node *n = atomic_load(&top);
    while (n && !atomic_compare_exchange_weak(&top, &n, n->next))
        ;
    if (!n) return 0;
    *v = n->value;
    return 1;
}
static void *thread(void *a) { push(1); push(2); return a; }
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, thread, 0);
    pthread_create(&b, 0, thread, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    int v;
    while (pop(&v)) { sum += v; pops++; }
    over = 1;
    return 0;
}
