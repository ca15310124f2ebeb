/* Subtraction ends: the greater number becomes less. */
extern int __VERIFIER_nondet_int(void);
int a, b, done;
int main(void) {
  a = (__VERIFIER_nondet_int() & 255) + 1;
  b = (__VERIFIER_nondet_int() & 255);
#ifndef BROKEN
  b = b + 1;
#endif
  done = 0;
  while (a != b) {
    if (a > b) a = a - b; else b = b - a;
  }
  done = 1;
  return 0;
}
