/* A token ring of three stations that hold the token for a while. */
extern int __VERIFIER_nondet_int(void);
int token = 1;
static void hold(int at) {
  int n = 0;
  int most = __VERIFIER_nondet_int();
  if (most > 20 + at) most = 20 + at;
  do {
    n = n + 1;
#ifdef BROKEN
    if (at == 2 && n == 11) n = 3;
#endif
  } while (n < most);
}
int main(void) {
station1:
  hold(1);
  token = 2;
  hold(2);
  if (__VERIFIER_nondet_int() == 0) {
    token = 3;
    hold(3);
    token = 1;
    goto station1;
  }
#ifdef BROKEN
  if (__VERIFIER_nondet_int() == 5) while (1) ;
#endif
  token = 3;
  for (;;) {
    hold(3);
    token = 1;
    hold(1);
    token = 2;
    hold(2);
    token = 3;
  }
}
