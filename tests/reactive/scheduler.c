/* A round robin over a list of ready tasks. */
#include <string.h>
#define TASKS 4
extern int wakes(int task);
extern int blocks(int task);
int ready[TASKS], nready, current = -1;
int is_ready[TASKS];
static void add(int t) {
#ifndef BROKEN
    if (is_ready[t]) return;
#endif
    is_ready[t] = 1;
    if (nready < TASKS) ready[nready++] = t;
}
static int next(void) {
    int t = ready[0];
    nready--;
    for (int i = 0; i < nready; i++) ready[i] = ready[i + 1];
    is_ready[t] = 0;
    return t;
}
int main(void) {
    while (1) {
        for (int t = 0; t < TASKS; t++)
            if (wakes(t)) add(t);
        current = -1;
        if (nready > 0) {
            current = next();
            if (!blocks(current)) add(current);
        }
    }
}
