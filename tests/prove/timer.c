/* A timer that is set and counts down, again and again. */
extern int __VERIFIER_nondet_int(void);
int timer, output;
int main(void) {
  output = 0;
  while (1) {
    timer = __VERIFIER_nondet_int();
    if (timer < 1) timer = 1;
    output = 1;
    while (timer != 0) {
#ifdef BROKEN
      if (timer > 5 || __VERIFIER_nondet_int())
#endif
      timer--;
    }
    output = 0;
  }
}
