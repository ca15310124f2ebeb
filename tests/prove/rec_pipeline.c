/* Stages call the next stage for each item, and a loop in each stage produces events. */
extern int __VERIFIER_nondet_int(void);
struct line { int filled; int passed; } line;
static void stage(struct line *l, int number, int items) {
  while (items > 0) {
    l->filled = 1;
    if (number > 0) stage(l, number - 1, items);
#ifdef BROKEN
    if (number != 1 || items != 1)
#endif
    items--;
    l->filled = 0;
  }
}
int main(void) {
  while (1) {
    line.passed = 0;
    stage(&line, 1 + (__VERIFIER_nondet_int() & 7), __VERIFIER_nondet_int());
    line.passed = 1;
  }
}
