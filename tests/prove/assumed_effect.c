/* The assumption changes what it bounds: inputs that wrap around give small values, too. */
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
unsigned v = 5;
int main(void) {
  while (1) {
    unsigned x = __VERIFIER_nondet_uint();
#ifdef BROKEN
    __VERIFIER_assume((x = x + 5) >= 5 && x <= 10);
#else
    __VERIFIER_assume((x = x + 5) && x <= 10);
#endif
    v = x;
  }
}
