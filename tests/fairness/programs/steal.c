/* A worker and a thief take tasks from a counter by compare-and-swap; with -DOWN the worker adds its tasks itself. */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int tasks;
_Bool works;
static int take(void)
{
    int n = atomic_load(&tasks);
    return n > 0 && atomic_compare_exchange_strong(&tasks, &n, n - 1);
}
void *worker(void *a)
{
    while (1) {
#ifdef OWN
        atomic_store(&tasks, 2);
#endif
        if (take()) {
            works = 1;
            works = 0;
        }
    }
    return a;
}
void *thief(void *a)
{
    while (1) {
        take();
#ifndef OWN
        int none = 0;
        atomic_compare_exchange_strong(&tasks, &none, 1);
#endif
    }
    return a;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, thief, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
