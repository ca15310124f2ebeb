/* Requests through one bounded queue, replies through another. */
#include <pthread.h>
#include <semaphore.h>
#define CAP 2
struct chan { unsigned char buf[CAP]; unsigned in, out; sem_t free, used; pthread_mutex_t m; };
static struct chan req, rep;
int mismatch, replied, in_flight;
static void chan_init(struct chan *c)
{
    sem_init(&c->free, 0, CAP);
    sem_init(&c->used, 0, 0);
    pthread_mutex_init(&c->m, NULL);
}
static void put(struct chan *c, unsigned char v)
{
    sem_wait(&c->free);
    pthread_mutex_lock(&c->m);
    c->buf[c->in] = v;
    c->in = (c->in + 1) % CAP;
    pthread_mutex_unlock(&c->m);
    sem_post(&c->used);
}
static unsigned char get(struct chan *c)
{
    sem_wait(&c->used);
    pthread_mutex_lock(&c->m);
    unsigned char v = c->buf[c->out];
    c->out = (c->out + 1) % CAP;
    pthread_mutex_unlock(&c->m);
    sem_post(&c->free);
    return v;
}
static void *server(void *a)
{
    for (;;) {
        unsigned char v = get(&req);
        put(&rep, v + 1);
    }
    return a;
}
static void *client(void *a)
{
    unsigned char v = 0;
    for (;;) {
        put(&req, v);
        put(&req, v + 2);
#ifdef WRONG
        put(&req, v + 2); put(&req, v); put(&req, v); put(&req, v);
#endif
        unsigned char x = get(&rep), y = get(&rep);
        if (x != v + 1 || y != v + 3) mismatch = 1;
        replied = 1; replied = 0;
        v = !v;
    }
    return a;
}
int main(void)
{
    pthread_t s, c;
    chan_init(&req); chan_init(&rep);
    pthread_create(&s, 0, server, 0);
    pthread_create(&c, 0, client, 0);
    pthread_join(s, 0); pthread_join(c, 0);
    return 0;
}
