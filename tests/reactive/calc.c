/* A calculator in reverse Polish notation, with a stack of eight. */
#include <stdio.h>
#include <ctype.h>
#define DEPTH 8
static int stack[DEPTH];
static int sp, errors;
static void push(int v) { if (sp < DEPTH) stack[sp++] = v; else errors = 1; }
static int pop(void) {
#ifdef BROKEN
    if (sp >= 0) return stack[--sp & 7];
#else
    if (sp > 0) return stack[--sp];
#endif
    errors = 1;
    return 0;
}
int main(void) {
    int c;
    while ((c = getchar()) != EOF) {
        if (isdigit(c)) push(c - '0');
        else if (c == '+') { int b = pop(), a = pop(); push((a + b) % 100); }
        else if (c == '-') { int b = pop(), a = pop(); push((a - b) % 100); }
        else if (c == '\n') { sp = 0; errors = 0; }
    }
    return 0;
}
