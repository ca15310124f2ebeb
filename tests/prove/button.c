/* A pressed button is served in the same round. */
extern int __VERIFIER_nondet_int(void);
_Bool pressed, served;
int main(void) {
  for (;;) {
    served = 0;
    if (__VERIFIER_nondet_int() == 1) pressed = 1;
    if (pressed) {
#ifdef BROKEN
      if (__VERIFIER_nondet_int())
#endif
      { served = 1; pressed = 0; }
    }
  }
}
