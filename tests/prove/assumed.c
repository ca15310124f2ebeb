/* Inputs are assumed to be in range; without that the loop would go on. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int x, done;
int main(void) {
  x = __VERIFIER_nondet_int();
#ifndef BROKEN
  __VERIFIER_assume(x >= 0 && x % 2 == 0);
#endif
  done = 0;
  while (x != 0) {
    if (x > 0) x = x - 2; else x = -1;
  }
  done = 1;
  while (1) { }
}
