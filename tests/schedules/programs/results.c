/* Threads give their results back in allocated memory, through pthread_join.
 * WRONG: both write into one object. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct result {
    int from;
    int sum;
};

#ifdef WRONG
static struct result common;
#endif

static void *sum_up(void *argument)
{
    int from = *(int *)argument, i;
#ifdef WRONG
    struct result *r = &common;
#else
    struct result *r = malloc(sizeof *r);
    if (!r)
        abort();
#endif
    r->from = from;
    r->sum = 0;
    for (i = from; i < from + 2; i++)
        r->sum += i;
    return r;
}

int main(void)
{
    pthread_t a, b;
    int one = 1, five = 5;
    void *first, *second;
    pthread_create(&a, 0, sum_up, &one);
    pthread_create(&b, 0, sum_up, &five);
    pthread_join(a, &first);
    pthread_join(b, &second);
    assert(((struct result *)first)->sum == 3);
    assert(((struct result *)second)->sum == 11);
    return 0;
}
