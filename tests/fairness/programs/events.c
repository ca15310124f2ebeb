/* An event loop with two flags: it clears a flag and then serves it; with -DAFTER it serves first and clears what came meanwhile. */
#include <pthread.h>
static volatile int asked, answered;
_Bool serves;
void *loop(void *a)
{
    while (1) {
        if (asked) {
#ifdef AFTER
            answered = 1;
            asked = 0;
#else
            asked = 0;
            answered = 1;
#endif
            serves = 1;
            serves = 0;
        }
    }
    return a;
}
void *client(void *a)
{
    while (1) {
        asked = 1;
        while (!answered)
            ;
        answered = 0;
    }
    return a;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, loop, 0);
    pthread_create(&b, 0, client, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
