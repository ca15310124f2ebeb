/* Checks brackets with a stack of ten. */
#include <stdio.h>
#define MAX 10
char stack[MAX];
int depth, bad, reset;
int main(void) {
    int c;
    while ((c = getchar()) != EOF) {
        reset = 0;
        if (c == '(' || c == '[') {
#ifdef BROKEN
            if (depth > MAX) { bad = 1; continue; }
#else
            if (depth == MAX) { bad = 1; continue; }
#endif
            stack[depth++] = c;
        } else if (c == ')' || c == ']') {
            if (depth == 0) bad = 1;
            else {
                depth--;
                if (c == ')' && stack[depth] != '(') bad = 1;
                if (c == ']' && stack[depth] != '[') bad = 1;
            }
        } else if (c == '\n') { depth = 0; bad = 0; reset = 1; }
    }
    return 0;
}
