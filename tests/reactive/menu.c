/* A menu by lines, with a level. */
#include <stdio.h>
#include <stdlib.h>
int level = 1, in_menu = 0, done = 0;
int main(void) {
    char input[100];
    while (!done) {
        printf("> ");
        if (!fgets(input, sizeof(input), stdin)) break;
        int choice = atoi(input);
        if (!in_menu) {
            if (choice == 1) in_menu = 1;
            else if (choice == 9) done = 1;
        } else {
            switch (choice) {
            case 1: if (level < 10) level++; break;
            case 2:
#ifdef BROKEN
                level--;
#else
                if (level > 1) level--;
#endif
                break;
            case 0: in_menu = 0; break;
            default: printf("no such choice\n");
            }
        }
    }
    return 0;
}
