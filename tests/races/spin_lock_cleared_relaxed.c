// race: total
#include <pthread.h>
#include <stdatomic.h>
struct spin {
    atomic_flag taken;
} lock = {ATOMIC_FLAG_INIT};
int total;
void enter(struct spin *s)
{
    while (atomic_flag_test_and_set_explicit(&s->taken, memory_order_acquire))
        ;
}
void *first(void *unused)
{
    enter(&lock);
    total++;
    atomic_flag_clear_explicit(&lock.taken, memory_order_relaxed);
    return unused;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, first, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
