/* A lift with a queue of eight. */
#include <stdio.h>
int queue[8];
int n, at, moving;
int main(void) {
    int wish;
    while (scanf("%d", &wish) == 1) {
        int i, found = 0;
        for (i = 0; i < n; i++)
            if (queue[i] == wish) found = 1;
#ifdef BROKEN
        if (!found && wish >= 0 && wish <= 6 && n < 8)
#else
        if (!found && wish >= 0 && wish <= 5 && n < 8)
#endif
            { queue[n] = wish; n = n + 1; }
        if (n > 0) {
            if (at < queue[0]) { moving = 1; at = at + 1; }
            else if (at > queue[0]) { moving = 1; at = at - 1; }
            else {
                moving = 0;
                for (i = 0; i < n - 1; i++) queue[i] = queue[i + 1];
                n = n - 1;
            }
        }
    }
    return 0;
}
