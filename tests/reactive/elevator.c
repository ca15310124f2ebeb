/* An elevator for four floors: a button for each floor, one step a round. */
#include <stdio.h>
static int wanted[4];
static int at, dir, door;
static int any(int from, int to) {
    for (int i = from; i < to; i++) if (wanted[i]) return 1;
    return 0;
}
int main(void) {
    int b;
    while (1) {
        if (scanf("%d", &b) == 1 && b >= 0 && b < 4) wanted[b] = 1;
        if (door) { door = 0; continue; }
        if (wanted[at]) { wanted[at] = 0; door = 1; dir = 0; continue; }
        if (dir == 0) {
            if (any(at + 1, 4)) dir = 1;
            else if (any(0, at)) dir = -1;
        }
#ifdef BROKEN
        if (dir == 1 && !any(at, 4)) dir = -1;
        if (dir == -1 && !any(0, at)) dir = 1;
#else
        if (dir == 1 && !any(at + 1, 4)) dir = 0;
        if (dir == -1 && !any(0, at)) dir = 0;
#endif
        at += dir;
    }
}
