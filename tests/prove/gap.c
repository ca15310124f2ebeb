/* Two numbers approach each other. */
extern int __VERIFIER_nondet_int(void);
int low, high, met;
int main(void) {
  low = __VERIFIER_nondet_int() & 1023;
  high = low + (__VERIFIER_nondet_int() & 1023);
  met = 0;
  while (low < high) {
    if (__VERIFIER_nondet_int()) low++;
#ifndef BROKEN
    else high--;
#endif
  }
  met = 1;
  while (1) { }
}
