/* Two accounts: transfers keep the sum. */
extern int __VERIFIER_nondet_int(void);
int a = 10, b, c, amount;
int main(void) {
  while (1) {
    c = 0;
    amount = __VERIFIER_nondet_int();
    if (amount > 0 && amount <= a) {
      a -= amount;
      b += amount;
    } else if (amount < 0 && amount >= -b) {
      a -= amount;
      b += amount;
    }
#ifdef BROKEN
    if (a == 3 && b == 7) { a = 4; }
#endif
    c = 1;
  }
}
