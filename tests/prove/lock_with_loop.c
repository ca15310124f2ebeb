/* A lock is taken and given back around a loop whose length comes from outside. */
extern int __VERIFIER_nondet_int(void);
int taken, given, n;
int main(void) {
  while (__VERIFIER_nondet_int()) {
    taken = 1;
    taken = 0;
    n = __VERIFIER_nondet_int();
    while (n > 0) {
#ifndef BROKEN
      n--;
#endif
    }
    given = 1;
    given = 0;
  }
  while (1) { }
}
