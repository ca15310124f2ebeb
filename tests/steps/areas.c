/* Two threads take turns in a room that is locked, or not (WRONG). They leave it in two ways. */
#include <pthread.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int x;
static void stay(int who)
{
ENTER:
    x = who;
    if (who == 2) {
        x = 0;
        return; /* leaves the area */
    }
    x = 0;
LEAVE:;
}
static void visit(int who)
{
#ifdef WRONG
    stay(who);
#else
    pthread_mutex_lock(&lock);
    stay(who);
    pthread_mutex_unlock(&lock);
#endif
}
static void *first(void *unused)
{
    for (;;)
        visit(1);
}
static void *second(void *unused)
{
    for (;;)
        visit(2);
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    return 0;
}
