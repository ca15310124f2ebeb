#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int in0, in1;
static void *first(void *u) { for (;;) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    in0 = 1; in0 = 0;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
} return u; }
static void *second(void *u) { for (;;) {
    pthread_mutex_lock(&b);
#ifdef WRONG
    pthread_mutex_lock(&a);
#else
    if (pthread_mutex_trylock(&a) != 0) { pthread_mutex_unlock(&b); continue; }
#endif
    in1 = 1; in1 = 0;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
} return u; }
int main(void) { pthread_t t, r; pthread_create(&t, 0, first, 0); pthread_create(&r, 0, second, 0); pthread_join(t, 0); return 0; }
