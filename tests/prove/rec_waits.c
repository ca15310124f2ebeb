/* Each level of a recursion waits in a loop of its own. */
extern int __VERIFIER_nondet_int(void);
int asked, answered;
static void level(int n) {
  int left = __VERIFIER_nondet_int();
#ifdef BROKEN
  if (n == 7 && left == 7) while (left > 0) left = n;
#endif
  while (left > 0) left--;
  if (n > 0) level(n - 1);
}
int main(void) {
  while (1) {
    answered = 0; asked = 1;
    level(__VERIFIER_nondet_int());
    asked = 0; answered = 1;
  }
}
