/* Threads write their letter into one allocated cell; the last one to be joined decides.
 * WRONG: the program relies on the order in which the threads were made. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static char *cell;

static void *write_x(void *unused)
{
    *cell = 'X';
    return unused;
}

static void *write_y(void *unused)
{
    *cell = 'Y';
    return unused;
}

static void *prepare(void *unused)
{
    cell = malloc(sizeof(char));
    if (!cell)
        abort();
    *cell = '-';
    return unused;
}

int main(void)
{
    pthread_t p, x, y;
    pthread_create(&p, 0, prepare, 0);
    pthread_join(p, 0);
    pthread_create(&x, 0, write_x, 0);
#ifndef WRONG
    pthread_join(x, 0);
#endif
    pthread_create(&y, 0, write_y, 0);
    pthread_join(y, 0);
#ifdef WRONG
    pthread_join(x, 0);
#endif
    assert(*cell == 'Y');
    return 0;
}
