/* Loops that are jumps: an idle loop, a working loop, and an error state. */
extern int __VERIFIER_nondet_int(void);
int state, left, error;
int main(void) {
idle:
  state = 0;
  if (!__VERIFIER_nondet_int()) goto idle;
  state = 1;
  left = __VERIFIER_nondet_int();
  if (left > 100) { error = 1; goto failed; }
work:
  if (left <= 0) goto idle;
#ifdef BROKEN
  if (left != 13)
#endif
  left--;
  goto work;
failed:
  state = 2;
  goto failed;
}
