/* A recursion without a bound of its own spends a budget, and is cancelled by its end. */
extern int __VERIFIER_nondet_int(void);
extern void exit(int);
int left, closed, spent;
static int search(int place) {
  static int calls;
  calls = calls + 1;
#ifdef BROKEN
  if (calls > 3) exit(0);
#endif
  if (calls > 100000) { closed = 1; exit(0); }
  if (place == __VERIFIER_nondet_int()) return 1;
  return search(place + 1) || search(place - 1);
}
int main(void) {
  search(0);
  closed = 1;
  while (1) { }
}
