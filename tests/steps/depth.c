#include <pthread.h>
#include <unistd.h>
#include <stdio.h>
static _Thread_local int depth; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int owner, bad;
static void enter(void) { if (depth++ == 0) pthread_mutex_lock(&m); }
static void leave(void) {
#ifdef WRONG
 if (depth-- == 2)
#else
 if (--depth == 0)
#endif
 pthread_mutex_unlock(&m); }
static void *run(void *u) { for (;;) { enter(); enter(); owner = 1; leave(); if (owner != 1) bad = 1; owner = 0; leave(); printf("x\n"); usleep(10); } return u; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, run, 0); pthread_create(&b, 0, run, 0); pthread_join(a, 0); return 0; }
