#include <pthread.h>
#include <string.h>
/* Words go through a box; what the reader has of them is set by strcpy only. */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static char box[8];
static int full;
int offs, bad;
static void put(const char *word) {
    pthread_mutex_lock(&m);
    while (full) pthread_cond_wait(&c, &m);
    strcpy(box, word); full = 1;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
}
static void take(char *to) {
    pthread_mutex_lock(&m);
#ifndef WRONG
    while (!full) pthread_cond_wait(&c, &m);
#endif
    strcpy(to, box); full = 0;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
}
static void *writer(void *u) { for (;;) { put("on"); put("off"); } return u; }
static void *reader(void *u) {
    char got[8];
    for (int off = 0;; off = !off) {
        take(got);
        if (strcmp(got, off ? "off" : "on") != 0) bad = 1;
        if (strcmp(got, "off") == 0) { offs = 1; offs = 0; }
    }
    return u;
}
int main(void) { pthread_t a, b; pthread_create(&a, 0, writer, 0); pthread_create(&b, 0, reader, 0); pthread_join(a, 0); pthread_join(b, 0); return 0; }
