/* A pointer walks over an array again and again. */
extern int __VERIFIER_nondet_int(void);
int cells[5], *at, round_over;
int main(void) {
  while (1) {
    round_over = 0;
    for (at = cells; at != cells + 5; at++) {
#ifdef BROKEN
      if (__VERIFIER_nondet_int()) at = cells;
#endif
      *at = __VERIFIER_nondet_int() > 0;
    }
    round_over = 1;
  }
}
