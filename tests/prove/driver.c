/* A driver: a spin lock around a dispatch with a status, and jumps to one way out. */
extern int __VERIFIER_nondet_int(void);
int acquired, released, status, pending;
static int dispatch(int request) {
  if (request == 1) return 0;
  if (request == 2) { pending = 1; return 259; }
  return -1;
}
int main(void) {
  int request, tries;
  acquired = released = 0;
  while (__VERIFIER_nondet_int()) {
    acquired = 1;
    acquired = 0;
    tries = 0;
  again:
    request = __VERIFIER_nondet_int();
    status = dispatch(request);
    if (status == 259) {
      pending = 0;
#ifndef BROKEN
      tries++;
#endif
      if (tries < 3) goto again;
      goto out;
    }
    if (status != 0) goto out;
  out:
    released = 1;
    released = 0;
  }
  return 0;
}
