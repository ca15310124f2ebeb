#include <pthread.h>
#include <stdatomic.h>
struct object { atomic_int refs; int alive; };
static struct object o = { 2, 1 };
int frees, used_after;
static void put(struct object *p)
{
#ifdef WRONG
    p->refs--;
    if (p->refs == 0) {
#else
    if (atomic_fetch_sub(&p->refs, 1) == 1) {
#endif
        p->alive = 0;
        frees++;
    }
}
static void *user(void *u) { if (!o.alive) used_after = 1; put(&o); return u; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, user, 0); pthread_create(&b, 0, user, 0); pthread_join(a, 0); pthread_join(b, 0); return 0; }
