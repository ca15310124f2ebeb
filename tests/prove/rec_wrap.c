/* A recursion ends because its argument wraps around. */
extern unsigned char __VERIFIER_nondet_uchar(void);
int busy, rounds;
static void count(unsigned char n) {
  if (n == 0) return;
#ifdef BROKEN
  count(n + 2);
#else
  count(n + 1);
#endif
}
int main(void) {
  while (1) {
    busy = 1;
    count(__VERIFIER_nondet_uchar());
    busy = 0;
  }
}
