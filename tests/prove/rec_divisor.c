/* The result of a recursion bounds a loop behind it. */
extern unsigned __VERIFIER_nondet_uint(void);
int waiting;
static unsigned gcd(unsigned a, unsigned b) {
#ifdef BROKEN
  if (b == 0) return gcd(a, a);
#else
  if (b == 0) return a;
#endif
  return gcd(b, a % b);
}
int main(void) {
  while (1) {
    waiting = 1;
    unsigned steps = gcd(__VERIFIER_nondet_uint(), __VERIFIER_nondet_uint());
    while (steps > 0) steps--;
    waiting = 0;
  }
}
