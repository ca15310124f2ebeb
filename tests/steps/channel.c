#include <threads.h>
#include <stdio.h>
#include <stdlib.h>
#define CAP 2
struct chan { mtx_t m; cnd_t put, get; int buf[CAP]; int n, first; };
static struct chan ch;
int out_of_order, received, overflow;
static void chan_put(struct chan *c, int v)
{
    mtx_lock(&c->m);
#ifdef WRONG
    if (c->n == CAP) cnd_wait(&c->get, &c->m);
#else
    while (c->n == CAP) cnd_wait(&c->get, &c->m);
#endif
    c->buf[(c->first + c->n++) % CAP] = v;
    if (c->n > CAP) overflow = 1;
    cnd_signal(&c->put);
    mtx_unlock(&c->m);
}
static int chan_get(struct chan *c)
{
    mtx_lock(&c->m);
    while (c->n == 0) cnd_wait(&c->put, &c->m);
    int v = c->buf[c->first];
    c->first = (c->first + 1) % CAP;
    c->n--;
    cnd_signal(&c->get);
    mtx_unlock(&c->m);
    return v;
}
static int sender(void *p)
{
    for (int v = 0;; v = (v + 1) % 3) chan_put(p, v);
    return 0;
}
static int receiver(void *p)
{
    int want = 0;
    for (;;) {
        int v = chan_get(p);
        if (v != want) out_of_order = 1;
        want = (want + 1) % 3;
        received = 1;
        received = 0;
        printf("%d\n", v);
    }
    return 0;
}
int main(void)
{
    thrd_t s, r;
    if (mtx_init(&ch.m, mtx_plain) != thrd_success) exit(1);
    cnd_init(&ch.put);
    cnd_init(&ch.get);
    thrd_create(&s, sender, &ch);
    thrd_create(&r, receiver, &ch);
    thrd_join(s, NULL);
    thrd_join(r, NULL);
    return 0;
}
