/* The environment says how many threads there are; each adds one under a mutex.
 * WRONG: the last thread is not joined before the sum is checked. */
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void abort(void);

#define MOST 3

static int sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void reach_error(void)
{
ERROR:
    abort();
}

static void __VERIFIER_assert(int condition)
{
    if (!condition)
        reach_error();
}

static void *add(void *unused)
{
    pthread_mutex_lock(&lock);
    sum++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t threads[MOST];
    int n = __VERIFIER_nondet_int(), i;
    __VERIFIER_assume(1 <= n && n <= MOST);
    for (i = 0; i < n; i++)
        pthread_create(&threads[i], 0, add, 0);
#ifdef WRONG
    for (i = 0; i < n - 1; i++)
#else
    for (i = 0; i < n; i++)
#endif
        pthread_join(threads[i], 0);
    pthread_mutex_lock(&lock);
    __VERIFIER_assert(sum == n);
    pthread_mutex_unlock(&lock);
    return 0;
}
