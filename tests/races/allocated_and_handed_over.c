// none
#include <pthread.h>
#include <stdlib.h>
struct node { int value; };
struct node *shared;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *one(void *a) {
    struct node *n, *other;
    n = malloc(sizeof *n);
    n->value = 0;
    other = n;
    pthread_mutex_lock(&m);
    shared = other;
    pthread_mutex_unlock(&m);
    return 0;
}
void *two(void *a) {
    pthread_mutex_lock(&m);
    struct node *n = shared;
    pthread_mutex_unlock(&m);
    if (n) n->value = 2;
    return 0;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
