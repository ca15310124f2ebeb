/* An allocated object is freed by whoever drops the last reference.
 * WRONG: the counter is decremented and tested in two steps. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct object {
    int references;
    int payload;
};

static int freed;

static void drop(struct object *o)
{
#ifdef WRONG
    __atomic_sub_fetch(&o->references, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&o->references, __ATOMIC_SEQ_CST) == 0)
        __atomic_add_fetch(&freed, 1, __ATOMIC_SEQ_CST);
#else
    if (__atomic_sub_fetch(&o->references, 1, __ATOMIC_SEQ_CST) == 0)
        __atomic_add_fetch(&freed, 1, __ATOMIC_SEQ_CST);
#endif
}

static void *user(void *argument)
{
    struct object *o = argument;
    int seen = o->payload;
    assert(seen == 42);
    drop(o);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    struct object *o = malloc(sizeof *o);
    if (!o)
        return 1;
    o->references = 2;
    o->payload = 42;
    pthread_create(&a, 0, user, o);
    pthread_create(&b, 0, user, o);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(freed == 1);
    return 0;
}
