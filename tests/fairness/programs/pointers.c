/* Two threads find their flags through an allocated array of pointers; with -DSILENT one never answers. */
#include <pthread.h>
#include <stdlib.h>
static volatile int one, two;
static volatile int **flags;
_Bool meets;
void *first(void *a)
{
    while (1) {
        *flags[0] = 1;
        while (!*flags[1])
            ;
        meets = 1;
        meets = 0;
        *flags[1] = 0;
    }
    return a;
}
void *second(void *a)
{
    while (1) {
        while (!*flags[0])
            ;
        *flags[0] = 0;
#ifndef SILENT
        *flags[1] = 1;
#endif
        while (*flags[1])
            ;
    }
    return a;
}
int main(void)
{
    pthread_t a, b;
    flags = malloc(sizeof(int *[2]));
    flags[0] = &one;
    flags[1] = &two;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
