#include <pthread.h>
#include <stdlib.h>
/* requests with a future allocated for each one */
struct future { pthread_mutex_t m; pthread_cond_t c; int ready, value; };
static struct { pthread_mutex_t m; pthread_cond_t c; struct future *request; } box =
    { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL };
int asked, answered, bad;
static void *server(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&box.m);
        while (box.request == NULL) pthread_cond_wait(&box.c, &box.m);
        struct future *f = box.request;
        box.request = NULL;
        pthread_mutex_unlock(&box.m);
        pthread_mutex_lock(&f->m);
#ifdef WRONG
        f->ready = 1;
        pthread_cond_signal(&f->c);
        pthread_mutex_unlock(&f->m);
        pthread_mutex_lock(&f->m);
        f->value = 5;
#else
        f->value = 5;
        f->ready = 1;
        pthread_cond_signal(&f->c);
#endif
        pthread_mutex_unlock(&f->m);
    }
    return arg;
}
static struct future f;
static void *client(void *arg)
{
    for (;;) {
        f.ready = 0;
        f.value = 0;
        pthread_mutex_lock(&box.m);
        box.request = &f;
        pthread_cond_signal(&box.c);
        pthread_mutex_unlock(&box.m);
        asked = 1;
        pthread_mutex_lock(&f.m);
        while (!f.ready) pthread_cond_wait(&f.c, &f.m);
        if (f.value != 5) bad = 1;
        pthread_mutex_unlock(&f.m);
        asked = 0;
        answered = 1;
        answered = 0;
    }
    return arg;
}
int main(void)
{
    pthread_t s, c;
    pthread_mutex_init(&f.m, NULL);
    pthread_cond_init(&f.c, NULL);
    pthread_create(&s, NULL, server, NULL);
    pthread_create(&c, NULL, client, NULL);
    pthread_join(c, NULL);
    pthread_join(s, NULL);
}
