#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
struct node *_Atomic top;
int popped, lost;
static void push(int v) {
    struct node *n = malloc(sizeof *n);
    if (!n) return;
    n->value = v;
    struct node *old = top;
#ifdef WRONG
    n->next = old; top = n;
#else
    do n->next = old; while (!atomic_compare_exchange_weak(&top, &old, n));
#endif
}
static int pop(void) {
    struct node *old = top;
    while (old && !atomic_compare_exchange_weak(&top, &old, old->next)) ;
    return old ? old->value : 0;
}
static void *work(void *u) { push(1); return u; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, 0); pthread_join(a, 0); pthread_join(b, 0); popped = pop() + pop(); return 0; }
