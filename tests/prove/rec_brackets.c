/* A parser opens a bracket and closes it behind what is inside. */
extern int __VERIFIER_nondet_int(void);
int open_, idle;
static void item(int most) {
  if (most <= 0) return;
  while (__VERIFIER_nondet_int()) {
    open_ = open_ + 1;
    item(most - 1);
#ifdef BROKEN
    if (most != 3)
#endif
    open_ = open_ - 1;
    if (!__VERIFIER_nondet_int()) break;
    most--;
    if (most <= 0) break;
  }
}
int main(void) {
  while (1) {
    idle = 0;
    item(4);
    idle = 1;
  }
}
