/* A vending machine that reads coins and choices as lines. */
#include <stdio.h>
int credit, stock = 3, giving, change;
int main(void) {
    char line[32];
    char what;
    int value;
    while (fgets(line, sizeof line, stdin)) {
        giving = 0; change = 0;
        if (sscanf(line, "%c %d", &what, &value) < 1) continue;
        if (what == 'c') {
            if (value == 10 || value == 20 || value == 50) {
                if (credit + value <= 200) credit += value; else change = value;
            }
        } else if (what == 'b') {
#ifdef BROKEN
            if (credit >= 70) { giving = 1; credit -= 70; stock--; }
#else
            if (stock > 0 && credit >= 70) { giving = 1; credit -= 70; stock--; }
#endif
        } else if (what == 'r') { change = credit; credit = 0; }
    }
    return 0;
}
