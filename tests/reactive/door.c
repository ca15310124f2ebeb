/* A door with a code of four digits. Three wrong codes lock it for ten lines. */
#include <stdio.h>
#include <string.h>
#include <stdbool.h>
static bool open_ = false, locked = false;
static int wrong = 0, left = 0;
int main(void) {
    char buf[20];
    for (;;) {
        if (fgets(buf, 20, stdin) == NULL) continue;
        buf[strcspn(buf, "\n")] = 0;
        if (locked) {
            if (--left == 0) { locked = false; wrong = 0; }
            continue;
        }
        if (strcmp(buf, "close") == 0) open_ = false;
        else if (strcmp(buf, "4711") == 0) { open_ = true; wrong = 0; }
        else {
            wrong++;
#ifdef BROKEN
            if (wrong > 3) {
#else
            if (wrong == 3) {
#endif
                locked = true; left = 10; open_ = false;
            }
        }
    }
}
