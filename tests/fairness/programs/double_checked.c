/* Double-checked initialisation: the first user makes the object under a mutex. With -DFORGETS it does not say that it is ready. */
#include <pthread.h>
#include <stdatomic.h>
atomic_int ready;
int object;
_Bool used;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int get(void)
{
    if (!atomic_load(&ready)) {
        pthread_mutex_lock(&m);
        if (!atomic_load(&ready)) {
            object = 7;
#ifndef FORGETS
            atomic_store(&ready, 1);
#endif
        }
        pthread_mutex_unlock(&m);
    }
    return object;
}
void *user(void *argument)
{
    while (1) {
        if (get() == 7 && atomic_load(&ready)) { used = 1; used = 0; }
    }
    return argument;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, user, 0);
    pthread_create(&b, 0, user, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
