#include <stdio.h>
#include <stdlib.h>

int floor = 0, target = 0, moving = 0;
int queue[4];
int qn = 0;

static int queued(int f) {
    for (int i = 0; i < qn; i++)
        if (queue[i] == f) return 1;
    return 0;
}

int main(void) {
    char line[32];
    while (1) {
        if (fgets(line, sizeof line, stdin)) {
            int f = atoi(line);
            if (f >= 0 && f <= 5 && qn < 4 && !queued(f)) queue[qn++] = f;
        }
        if (!moving && qn > 0) {
            target = queue[0];
            for (int i = 1; i < qn; i++) queue[i - 1] = queue[i];
            qn--;
            moving = 1;
        }
        if (moving) {
            if (floor < target) floor++;
            else if (floor > target) floor--;
            else moving = 0;
        }
    }
    return 0;
}
