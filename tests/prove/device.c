/* A device with a buffer: both are allocated once, as is a counter on the stack. */
#include <alloca.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct device {
    int state;
    int *buffer;
};
int opened, closed, reads;
static struct device *open_device(void)
{
    struct device *d = malloc(sizeof *d);
    if (d == NULL)
        exit(1);
    d->state = 1;
    d->buffer = calloc(4, sizeof *d->buffer);
    return d;
}
int main(void)
{
    struct device *d = open_device();
    int *left = alloca(sizeof(int));
    opened = 1;
    *left = __VERIFIER_nondet_int();
    while (*left > 0) {
        d->buffer[*left & 3]++;
        *left = *left - 1;
        reads = 1;
#ifdef BROKEN
        if (*left == 77)
            *left = 78;
#endif
    }
    closed = d->state;
    free(d->buffer);
    free(d);
    return 0;
}
