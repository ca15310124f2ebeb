/* A controller whose state is allocated at the start: every fourth tick it is idle. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static struct control {
    int busy, ticks;
    int log[4];
} *control;
int begun;
static void set_up(void)
{
    control = (struct control *)malloc(sizeof(struct control));
    if (!control)
        abort();
    control->busy = 0;
    control->ticks = 0;
    begun = 1;
}
int main(void)
{
    set_up();
    for (;;) {
        control->ticks = (control->ticks + 1) % 4;
        control->log[control->ticks] = control->busy;
        if (__VERIFIER_nondet_int())
            control->busy = 1;
#ifndef BROKEN
        if (control->ticks == 0)
            control->busy = 0;
#endif
    }
}
