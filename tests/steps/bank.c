#include <pthread.h>
#include <stdlib.h>
int nondet_int(void);
typedef struct account { int balance; pthread_mutex_t mutex; } account_t;
typedef struct { account_t *from, *to; int id; } order_t;
static account_t *accounts[2];
int moved[2], negative, total_wrong;
static void lock2(account_t *a, account_t *b)
{
#ifdef WRONG
    pthread_mutex_lock(&a->mutex);
    pthread_mutex_lock(&b->mutex);
#else
    if (a == accounts[0]) { pthread_mutex_lock(&a->mutex); pthread_mutex_lock(&b->mutex); }
    else { pthread_mutex_lock(&b->mutex); pthread_mutex_lock(&a->mutex); }
#endif
}
static void *transfer(void *arg)
{
    order_t o = *(order_t *)arg;
    free(arg);
    while (1) {
        lock2(o.from, o.to);
        int amount = 1;
        if (o.from->balance >= amount) {
            o.from->balance -= amount;
            o.to->balance += amount;
        }
        if (o.from->balance < 0) negative = 1;
        if (o.from->balance + o.to->balance != 4) total_wrong = 1;
        pthread_mutex_unlock(&o.from->mutex);
        pthread_mutex_unlock(&o.to->mutex);
        moved[o.id] = 1;
        moved[o.id] = 0;
    }
    return NULL;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++) {
        accounts[i] = malloc(sizeof(account_t));
        if (!accounts[i]) return 1;
        accounts[i]->balance = 2;
        pthread_mutex_init(&accounts[i]->mutex, NULL);
    }
    for (int i = 0; i < 2; i++) {
        order_t *o = malloc(sizeof *o);
        if (!o) return 1;
        o->from = accounts[i];
        o->to = accounts[1 - i];
        o->id = i;
        pthread_create(&t[i], NULL, transfer, o);
    }
    for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
    return 0;
}
