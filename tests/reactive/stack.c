/* A calculator with a bounded stack. */
#include <stdio.h>
#define DEPTH 4
int st[DEPTH];
int sp = 0;
int error = 0;
static void push(int v) {
#ifdef BROKEN
    if (sp > DEPTH) { error = 1; return; }
#else
    if (sp >= DEPTH) { error = 1; return; }
#endif
    st[sp] = v;
    sp++;
}
static int pop(void) {
    if (sp <= 0) { error = 1; return 0; }
    sp--;
    return st[sp];
}
int main(void) {
    int c;
    while ((c = getchar()) != EOF) {
        error = 0;
        if (c >= '0' && c <= '9') push(c - '0');
        else if (c == '+') { int b = pop(); int a = pop(); push((a + b) % 10); }
        else if (c == 'p') printf("%d\n", pop());
        else if (c == 'c') sp = 0;
    }
    return 0;
}
