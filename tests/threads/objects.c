/* Locks in structures, arrays, on main's stack and in allocated memory, reached through threads' arguments. */
#include <pthread.h>
#include <stdlib.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};
struct transfer {
    struct account *from, *to;
};
struct account accounts[2] = { { PTHREAD_MUTEX_INITIALIZER, 3 }, { PTHREAD_MUTEX_INITIALIZER, 3 } };
int done0, done1;

void move(struct transfer *t, int number)
{
    pthread_mutex_lock(&t->from->lock);
    pthread_mutex_lock(&t->to->lock);
    t->from->balance--;
    t->to->balance++;
    pthread_mutex_unlock(&t->to->lock);
    pthread_mutex_unlock(&t->from->lock);
    if (number == 0)
        done0 = 1;
    else
        done1 = 1;
}

void *there(void *arg)
{
    move(arg, 0);
    return NULL;
}

void *back(void *arg)
{
    move(arg, 1);
    return NULL;
}

void *local(void *arg)
{
    struct account *own = arg;
    pthread_mutex_lock(&own->lock);
    own->balance = 0;
    done0 = 1;
#if !defined DEADLOCK
    pthread_mutex_unlock(&own->lock);
#endif
    return NULL;
}

int main(void)
{
    pthread_t a, b;
#if defined LOCAL || defined ALLOCATED
#if defined LOCAL
    struct account own;
    struct account *it = &own;
#else
    struct account *it = malloc(sizeof *it);
#endif
    pthread_mutex_init(&it->lock, NULL);
    it->balance = 1;
    pthread_create(&a, NULL, local, it);
    pthread_mutex_lock(&it->lock);
    done1 = 1;
    pthread_mutex_unlock(&it->lock);
    pthread_join(a, NULL);
#else
    struct transfer one = { &accounts[0], &accounts[1] };
#if defined ORDERED
    struct transfer two = { &accounts[0], &accounts[1] };
#else
    struct transfer two = { &accounts[1], &accounts[0] };
#endif
    pthread_create(&a, NULL, there, &one);
    pthread_create(&b, NULL, back, &two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
#endif
    return 0;
}
