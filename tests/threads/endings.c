/* What threads end with, and threads that end the process. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

int ready, sum, done;
intptr_t number;

void *three(void *arg)
{
    intptr_t add = (intptr_t)arg;
    ready = 1;
#if defined ABORT
    if (sum == 0)
        abort();
#elif defined QUIT
    exit(0);
#endif
    return (void *)(3 + add);
}

void *four(void *arg)
{
    (void)arg;
#if defined QUIT
    exit(0);
#endif
    pthread_exit((void *)4);
}

int main(void)
{
    pthread_t a[2];
    void *results[2];
    pthread_create(a, NULL, three, (void *)(intptr_t)1);
    pthread_create(a + 1, NULL, four, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(a[i], &results[i]);
    sum = (int)((intptr_t)results[0] + (intptr_t)results[1]);
    pthread_create(a, NULL, four, NULL);
    pthread_join(*a, (void **)&number);
    done = number == 4;
    return 0;
}
