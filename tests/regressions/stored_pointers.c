/* A thread stores the address of `two` in each way that is no assignment to a pointer. Whoever reads it
 * after the join finds 2. */
#include <pthread.h>
#include <stdint.h>

static int one = 1, two = 2;
int got;

#if KIND == 1 /* as a part of a structure */
struct box {
    int *to;
    int many;
};
static struct box shared = {&one, 1};
static void store(void)
{
    struct box next = {&two, 1};
    shared = next;
}
static int *load(void) { return shared.to; }

#elif KIND == 2 /* as a part of a union */
union either {
    int *to;
    long number;
};
static union either shared = {&one};
static void store(void)
{
    union either next;
    next.to = &two;
    shared = next;
}
static int *load(void) { return shared.to; }

#elif KIND == 3 /* as an integer */
static uintptr_t shared;
static void store(void) { shared = (uintptr_t)&two; }
static int *load(void) { return (int *)shared; }

#elif KIND == 4 /* by an atomic exchange */
static int *shared = &one;
static void store(void) { __sync_lock_test_and_set(&shared, &two); }
static int *load(void) { return shared; }

#else /* as a function */
static int *first(void) { return &one; }
static int *second(void) { return &two; }
struct operations {
    int *(*get)(void);
};
static const struct operations before = {first}, after = {second};
static struct operations shared;
static void store(void) { shared = after; }
static int *load(void) { return shared.get(); }
#define INITIAL shared = before
#endif

static void *setter(void *unused)
{
    store();
    return unused;
}

int main(void)
{
    pthread_t thread;
#ifdef INITIAL
    INITIAL;
#endif
    pthread_create(&thread, 0, setter, 0);
    pthread_join(thread, 0);
    got = *load();
    return 0;
}
