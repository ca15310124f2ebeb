/* Arrays of threads and of values on the heap, of a length that nobody knows; each thread gets its number, cast to a
 * pointer, and ends with twice that number. WRONG: two threads write the same element. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int *values;

static void *fills(void *argument)
{
    long i = (long)argument;
#ifdef WRONG
    values[i / 2] = (int)i;
#else
    values[i] = (int)i;
#endif
    return (void *)(i * 2);
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 3)
        return 0;
    pthread_t *threads = malloc(n * sizeof(pthread_t));
    values = calloc(n, sizeof(int));
    if (!threads || !values)
        return 0;
    for (int i = 0; i < n; i++)
        pthread_create(threads + i, 0, fills, (void *)(long)i);
    long sum = 0;
    for (int i = 0; i < n; i++) {
        void *result;
        pthread_join(threads[i], &result);
        sum += (long)result;
    }
    assert(sum == (long)n * (n - 1));
    for (int i = 0; i < n; i++)
        assert(values[i] == i);
    free(threads);
    free(values);
    return 0;
}
