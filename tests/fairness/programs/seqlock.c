/* A sequence lock (Lameter 2005): a reader reads again if a writer came in between, perhaps for ever. */
#include <pthread.h>
#include <stdatomic.h>
atomic_uint sequence;
int left, right;
_Bool reads;
void *writer(void *argument)
{
    while (1) {
        atomic_store(&sequence, (sequence + 1) % 4);
        left = !left;
        right = left;
        atomic_store(&sequence, (sequence + 1) % 4);
    }
    return argument;
}
void *reader(void *argument)
{
    while (1) {
        unsigned before, after;
        int l, r;
        do {
            before = atomic_load(&sequence);
            l = left;
            r = right;
            after = atomic_load(&sequence);
        } while (before % 2 || before != after);
        if (l == r) {
            reads = 1;
            reads = 0;
        }
    }
    return argument;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
