/* A recursive descent between a request and its answer. */
extern int __VERIFIER_nondet_int(void);
int busy, done;
static int sum(int n) {
  if (n <= 0) return 0;
#ifdef BROKEN
  if (n == 9) return sum(n) + 1;
#endif
  return n + sum(n - 1);
}
int main(void) {
  while (1) {
    done = 0;
    busy = 1;
    sum(__VERIFIER_nondet_int() % 20);
    busy = 0;
    done = 1;
  }
}
