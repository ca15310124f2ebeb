/* An updater publishes a version and waits until the reader has left the old one; with -DNESTED the reader begins again before it
   leaves the old one, and goes round a loop of its own. */
#include <pthread.h>
static volatile int version, inside[2];
_Bool updates;
void *reader(void *a)
{
    while (1) {
        int v = version;
        inside[v] = 1;
#ifdef NESTED
        while (version == v)
            ;
        inside[!v] = 1;
        while (1)
            v = !v;
#endif
        inside[v] = 0;
    }
    return a;
}
void *updater(void *a)
{
    while (1) {
        int old = version;
        version = !old;
        while (inside[old])
            ;
        updates = 1;
        updates = 0;
    }
    return a;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, updater, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
