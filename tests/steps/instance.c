#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
struct config { int host, port; };
static struct config storage;
static struct config *_Atomic instance;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
int built, half, used;
static struct config *get(void)
{
    struct config *c = atomic_load_explicit(&instance, memory_order_acquire);
    if (c == NULL) {
        pthread_mutex_lock(&guard);
        c = atomic_load_explicit(&instance, memory_order_relaxed);
        if (c == NULL) {
            c = &storage;
#ifdef WRONG
            atomic_store_explicit(&instance, c, memory_order_release);
            c->host = 1; c->port = 2;
#else
            c->host = 1; c->port = 2;
            atomic_store_explicit(&instance, c, memory_order_release);
#endif
            built++;
        }
        pthread_mutex_unlock(&guard);
    }
    return c;
}
static void *client(void *arg)
{
    while (1) {
        struct config *c = get();
        if (c->host != 1 || c->port != 2) half = 1;
        used = 1; used = 0;
    }
    return arg;
}
int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, client, NULL);
    for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
    return 0;
}
