#include <pthread.h>
#include <string.h>
struct msg { unsigned char kind; unsigned char data[3]; };
static struct msg box; static int full;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ons, offs, last;
static void on(const struct msg *p) { ons = p->data[0]; }
static void off(const struct msg *p) { offs = p->data[1]; }
static void (*const handlers[2])(const struct msg *) = { on, off };
static void *sender(void *u) { for (unsigned char k = 0;; k = !k) {
    struct msg x = { k, { 1, 2, 3 } };
    pthread_mutex_lock(&m);
    while (full) pthread_cond_wait(&c, &m);
    memcpy(&box, &x, sizeof box); full = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
} return u; }
static void *receiver(void *u) { for (;;) {
    struct msg y;
    pthread_mutex_lock(&m);
#ifndef WRONG
    while (!full) pthread_cond_wait(&c, &m);
#endif
    y = box; full = 0;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    handlers[y.kind](&y);
    last = y.data[2];
} return u; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, sender, 0); pthread_create(&b, 0, receiver, 0); pthread_join(a, 0); return 0; }
