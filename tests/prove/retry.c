/* A request is answered after at most five attempts. */
extern int __VERIFIER_nondet_int(void);
int request, answer, attempts;
int main(void) {
  for (;;) {
    answer = 0;
    request = 1;
    attempts = 0;
    while (attempts < 5) {
      if (__VERIFIER_nondet_int() > 0) break;
#ifdef BROKEN
      if (attempts < 4)
#endif
      attempts++;
    }
    request = 0;
    answer = 1;
  }
}
