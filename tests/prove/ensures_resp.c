/* A request is served by one of two loops; one goes up, one goes down. */
extern int __VERIFIER_nondet_int(void);
int req, resp, n, m;
int main(void) {
  while (1) {
    resp = 0;
    req = 1;
    n = __VERIFIER_nondet_int();
    m = __VERIFIER_nondet_int();
    if (__VERIFIER_nondet_int()) {
      while (n < m) n++;
    } else {
      while (n > m) {
        n = n - 2;
#ifndef BROKEN
        if (n < -1000) break;
#endif
      }
    }
    req = 0;
    resp = 1;
  }
}
