/* A gate that is told to open and to shut. -DJAMMED: it does not shut. */
#include <stdio.h>

#include "gate.h"

int open_gates = 0;

int main(void)
{
    int order = 0;

    for (int turn = 0; turn < 2; turn++) {
        if (scanf("%d", &order) != 1)
            return 1;
    ordered:
        if (order == OPEN_IT)
            open_gates = GATES;
#ifndef JAMMED
        else if (order == SHUT_IT)
            open_gates = 0;
#endif
    moved:
        printf("%d\n", open_gates);
    }
    return 0;
}
