/* Slots of a pool, chosen by index and flag; two users take any free one by compare-and-swap. */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int used[2];
_Bool first_gets;
static int take(void)
{
    for (int i = 0; i < 2; i++) {
        int expected = 0;
        if (atomic_compare_exchange_strong(&used[i], &expected, 1))
            return i;
    }
    return -1;
}
void *first(void *argument)
{
    while (1) {
        int i = take();
        if (i >= 0) {
            first_gets = 1;
            first_gets = 0;
            atomic_store(&used[i], 0);
        }
    }
    return argument;
}
void *second(void *argument)
{
    while (1) {
        int i = take();
        if (i >= 0) atomic_store(&used[i], 0);
#ifdef BOTH
        int j = take();
        int k = take();
        if (j >= 0) atomic_store(&used[j], 0);
        if (k >= 0) atomic_store(&used[k], 0);
#endif
    }
    return argument;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
