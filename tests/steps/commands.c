#include <pthread.h>
extern int nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int command, has, level, stopped;
static void *reader(void *u) { for (;;) {
    int in = nondet_int();
    if (in < 0 || in > 2) continue;
    pthread_mutex_lock(&m);
    while (has) pthread_cond_wait(&c, &m);
    command = in; has = 1;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
} return u; }
static void *actor(void *u) { for (;;) {
    pthread_mutex_lock(&m);
    while (!has) pthread_cond_wait(&c, &m);
    int todo = command; has = 0;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    if (todo == 1
#ifndef WRONG
        && level < 3
#endif
        ) level++;
    if (todo == 2 && level > 0) level--;
} return u; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, reader, 0); pthread_create(&b, 0, actor, 0); pthread_join(a, 0); return 0; }
