/* A thread that starts others and joins them: three store a sign, and another one stores a second sign.
 * WRONG: nobody orders the stores, so that the last one may be of the other sign; it takes four rounds to see it. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static char *sign;

static void *makes(void *unused)
{
    sign = malloc(1);
    return unused;
}

static void *stores(void *unused)
{
    if (sign)
        sign[0] = 'a';
    return unused;
}

static void *stores_other(void *unused)
{
#ifdef WRONG
    if (sign)
        sign[0] = 'b';
#endif
    return unused;
}

static void *starts(void *unused)
{
    pthread_t m, a, b, c;
    pthread_create(&m, 0, makes, 0);
    pthread_join(m, 0);
    pthread_create(&a, 0, stores, 0);
    pthread_create(&b, 0, stores_other, 0);
    pthread_create(&c, 0, stores, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return unused;
}

int main(void)
{
    pthread_t s;
    pthread_create(&s, 0, starts, 0);
    pthread_join(s, 0);
    assert(!sign || sign[0] == 'a');
    return 0;
}
