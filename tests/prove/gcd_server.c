/* Each request computes by subtraction; both numbers are positive. */
extern int __VERIFIER_nondet_int(void);
int asked, answered, a, b;
int main(void) {
  while (1) {
    answered = 0;
    asked = 1;
    a = __VERIFIER_nondet_int();
    b = __VERIFIER_nondet_int();
#ifdef BROKEN
    if (a >= 0 && b > 0)
#else
    if (a > 0 && b > 0)
#endif
      while (a != b) { if (a > b) a -= b; else b -= a; }
    asked = 0;
    answered = 1;
  }
}
