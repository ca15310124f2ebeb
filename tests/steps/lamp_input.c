#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int on, blink, quit;
static void *worker(void *arg)
{
    (void)arg;
    for (;;) {
        pthread_mutex_lock(&m);
#ifndef WRONG
        if (quit) { on = 0; pthread_mutex_unlock(&m); break; }
#else
        if (quit) { pthread_mutex_unlock(&m); break; }
#endif
        if (blink) on = !on;
        pthread_mutex_unlock(&m);
        usleep(1000);
    }
    return NULL;
}
int main(void)
{
    pthread_t t;
    int c;
    if (pthread_create(&t, NULL, worker, NULL)) return 1;
    while ((c = getchar()) != EOF) {
        pthread_mutex_lock(&m);
        if (c == 'b') blink = 1;
        else if (c == 's') { blink = 0; on = 0; }
        pthread_mutex_unlock(&m);
        if (c == 'q') break;
    }
    pthread_mutex_lock(&m);
    quit = 1;
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    printf("%d\n", on);
    return 0;
}
