/* A calculator: a bounded stack through a pointer, beside a variable with its depth. */
extern int token(void);
extern int value(void);
#define DEPTH 8
static int st[DEPTH];
int *sp = st;
int underflow, overflow, depth;
static void push(int v) {
#ifdef BROKEN
  if (depth <= DEPTH - 1) { *sp++ = v; depth++; }
  if (depth == DEPTH && v == 7) depth++;
#else
  if (sp < st + DEPTH) { *sp++ = v; depth++; }
#endif
  else overflow = 1;
}
static int pop(void) {
  if (sp > st) { depth--; return *--sp; }
  underflow = 1;
  return 0;
}
int main(void) {
  while (1) {
    underflow = overflow = 0;
    switch (token()) {
    case 0: push(value()); break;
    case 1: { int b = pop(), a = pop(); push(a > b ? a : b); break; }
    case 2: pop(); break;
    }
  }
}
