/* The argument of a call is the result of another call; the first argument falls, or the second one does. */
extern unsigned __VERIFIER_nondet_uint(void);
int on;
static unsigned deep(unsigned m, unsigned n) {
#ifdef BROKEN
  if (m == 0) return deep(m, n / 2);
#else
  if (m == 0) return n / 2;
#endif
  if (n == 0) return deep(m - 1, 1);
  return deep(m - 1, deep(m, n - 1));
}
int main(void) {
  while (1) {
    on = 1;
    deep(__VERIFIER_nondet_uint() % 4, __VERIFIER_nondet_uint() % 4);
    on = 0;
  }
}
