/* Two functions that call each other. */
extern unsigned __VERIFIER_nondet_uint(void);
int busy, even;
static int is_odd(unsigned n);
static int is_even(unsigned n) {
#ifdef BROKEN
  if (n == 0) return is_odd(n);
#endif
  if (n == 0) return 1;
  return is_odd(n - 1);
}
static int is_odd(unsigned n) {
#ifdef BROKEN
  if (n == 0) return is_even(n);
#endif
  if (n == 0) return 0;
  return is_even(n - 1);
}
int main(void) {
  while (1) {
    busy = 1;
    even = is_even(__VERIFIER_nondet_uint());
    busy = 0;
  }
}
