/* Words on a line change a level; the words of each line are found by `strtok`. */
#include <stdio.h>
#include <string.h>
int level = 3, on, quit, errors;
int main(void) {
    while (!quit) {
        char line[128], *word;
        if (!fgets(line, sizeof line, stdin)) break;
        for (word = strtok(line, " \t\n"); word; word = strtok(NULL, " \t\n")) {
            if (strcmp(word, "on") == 0) on = 1;
            else if (strcmp(word, "off") == 0) on = 0;
#ifdef BROKEN
            else if (strcmp(word, "up") == 0) level++;
#else
            else if (strcmp(word, "up") == 0) { if (level < 9) level++; }
#endif
            else if (strcmp(word, "down") == 0) { if (level > 0) level--; }
            else if (strcmp(word, "quit") == 0) quit = 1;
            else errors = 1;
        }
    }
    return 0;
}
