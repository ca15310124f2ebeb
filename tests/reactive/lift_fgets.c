/* A lift. Type a floor and press return. */
#include <stdio.h>
#include <stdlib.h>
#define TOP 5
int queue[8];
int qn = 0;
int floor_now = 0;
enum { IDLE, UP, DOWN, OPEN } state = IDLE;
int main(void) {
    char buf[32];
    while (1) {
        if (fgets(buf, sizeof buf, stdin) != NULL) {
            int f = atoi(buf);
            int seen = 0;
            for (int i = 0; i < qn; i++) if (queue[i] == f) seen = 1;
            if (f >= 0 && f <= TOP && !seen && qn < 8) { queue[qn] = f; qn++; }
        }
        switch (state) {
        case IDLE:
            if (qn > 0) {
                if (queue[0] > floor_now) state = UP;
                else if (queue[0] < floor_now) state = DOWN;
                else state = OPEN;
            }
            break;
        case UP:
            floor_now++;
#ifdef BROKEN
            if (floor_now > queue[0]) state = OPEN;
#else
            if (floor_now == queue[0]) state = OPEN;
#endif
            break;
        case DOWN:
            floor_now--;
            if (floor_now == queue[0]) state = OPEN;
            break;
        case OPEN:
            for (int i = 1; i < qn; i++) queue[i - 1] = queue[i];
            qn--;
            state = IDLE;
            break;
        }
    }
}
