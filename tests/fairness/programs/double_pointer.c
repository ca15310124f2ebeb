/* A sorted list of two events: a timer takes its first one and puts it behind the other one, through pointers to pointers. */
#include <pthread.h>
struct event { struct event *next; int number; };
static struct event one = { 0, 1 }, two = { &one, 2 };
static struct event *events = &two;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
_Bool one_fires;
static void append(struct event **at, struct event *e)
{
    while (*at)
        at = &(*at)->next;
    *at = e;
}
void *timer(void *argument)
{
    while (1) {
        pthread_mutex_lock(&m);
        struct event *e = events;
        events = e->next;
        e->next = 0;
#ifdef FRONT
        e->next = events;
        events = e;
#else
        append(&events, e);
#endif
        if (e->number == 1) {
            one_fires = 1;
            one_fires = 0;
        }
        pthread_mutex_unlock(&m);
    }
    return argument;
}
void *looks(void *argument)
{
    int first = 0;
    while (1) {
        pthread_mutex_lock(&m);
        first = events->number;
        pthread_mutex_unlock(&m);
    }
    return argument;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, timer, 0);
    pthread_create(&b, 0, looks, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
