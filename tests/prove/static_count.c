/* A function with static locals decides when to answer. */
extern int __VERIFIER_nondet_int(void);
int asked, answered;
static int ready(void) {
  static int waited = 0;
  if (waited < 5) { waited++; return 0; }
#ifndef BROKEN
  waited = 0;
#else
  waited = 1 - waited / 6;
  if (__VERIFIER_nondet_int() == 12) return 0;
#endif
  return 1;
}
int main(void) {
  while (1) {
    asked = 1;
    answered = 0;
    while (!ready()) { }
    asked = 0;
    answered = 1;
  }
}
