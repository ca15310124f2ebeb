/* A pointer goes through a line that is a local: signs change a level. */
#include <stdio.h>
int level, lines;
int main(void) {
    char line[40];
    while (fgets(line, sizeof line, stdin)) {
        char *p = line;
        while (*p != '\0') {
#ifdef BROKEN
            if (*p == '+' && level <= 9) level++;
#else
            if (*p == '+' && level < 9) level++;
#endif
            else if (*p == '-' && level > 0) level--;
            p++;
        }
        if (lines < 1000) lines++;
    }
    return 0;
}
