/* A device is polled until it settles; a counter ends the wait. */
extern int __VERIFIER_nondet_int(void);
int settled, polls;
static int ready(void) { return __VERIFIER_nondet_int() == 1; }
int main(void) {
  polls = 100;
  settled = 0;
#ifdef BROKEN
  while (!ready()) { }
#else
  while (!ready() && polls > 0) polls = polls - 1;
#endif
  settled = 1;
  return 0;
}
