/* A server that calls itself for each request: safety holds although the recursion never ends. */
extern int __VERIFIER_nondet_int(void);
int queue, served;
static void serve(int n) {
  if (__VERIFIER_nondet_int() && queue < 10) queue++;
  while (queue > 0 && __VERIFIER_nondet_int()) { queue--; served = 1; served = 0; }
#ifdef BROKEN
  if (n == 3) queue = 11;
#endif
  serve(n + 1);
}
int main(void) {
  serve(0);
  queue = 99;
}
