/* A lift whose requests come as lines. */
#include <stdio.h>
#include <stdlib.h>
#define FLOORS 6
int queue[8];
int qn, floor_, moving, door_open;
static int known(int f) { for (int i = 0; i < qn; i++) if (queue[i] == f) return 1; return 0; }
int main(void) {
    char line[64];
    char *end;
    while (1) {
        if (fgets(line, sizeof(line), stdin) == NULL) break;
        long f = strtol(line, &end, 10);
        if (end != line && f >= 0 && f < FLOORS && qn < 8 && !known((int)f)) queue[qn++] = (int)f;
        if (qn == 0) continue;
        if (floor_ == queue[0]) {
            moving = 0;
            door_open = 1;
            for (int i = 1; i < qn; i++) queue[i - 1] = queue[i];
            qn--;
        } else {
#ifndef BROKEN
            door_open = 0;
#endif
            moving = 1;
            if (floor_ < queue[0]) floor_++; else floor_--;
        }
    }
    return 0;
}
