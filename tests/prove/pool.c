/* A memory pool; three-variable invariant total = used + avail. total is an input. */
extern int __VERIFIER_nondet_int(void);
int total, used, avail, stable;
static int grab(int n) {
  if (n <= 0 || n > avail) return 0;
  stable = 0;
  avail -= n;
  used += n;
  stable = 1;
  return n;
}
static void drop(int n) {
  if (n <= 0 || n > used) return;
  stable = 0;
  used -= n;
#ifdef BROKEN
  if (n != 3) avail += n;
#else
  avail += n;
#endif
  stable = 1;
}
int main(void) {
  total = __VERIFIER_nondet_int();
  if (total < 0 || total > 100000) total = 1000;
  avail = total;
  stable = 1;
  while (1) {
    if (__VERIFIER_nondet_int()) grab(__VERIFIER_nondet_int());
    else drop(__VERIFIER_nondet_int());
  }
}
