// none
#include <pthread.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
struct node *head;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void push(int v) {
    struct node *n = malloc(sizeof *n);
    n->value = v;
    pthread_mutex_lock(&m);
    n->next = head;
    head = n;
    pthread_mutex_unlock(&m);
}
void *work(void *a) { push(1); push(2); return 0; }
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, work, 0);
    pthread_create(&u, 0, work, 0);
    pthread_mutex_lock(&m);
    int seen = head ? head->value : 0;
    pthread_mutex_unlock(&m);
    return seen;
}
