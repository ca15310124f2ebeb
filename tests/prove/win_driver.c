/* A driver's dispatch: an interrupt level is raised and lowered on every way out; labels as ways out. */
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
int acquired, lowered, irql;
int status; unsigned remaining, chunk;
static void raise(void) { irql = 2; acquired = 1; acquired = 0; }
static void lower(void) { irql = 0; lowered = 1; lowered = 0; }
static int start_io(unsigned size) {
  if (size > 4096u) return -1;
  return 0;
}
int main(void) {
  int alloc, type;
  while (1) {
    if (__VERIFIER_nondet_int()) break;
    type = __VERIFIER_nondet_int();
    raise();
    switch (type) {
    case 3:
      remaining = __VERIFIER_nondet_uint() % 100000u;
      while (remaining > 0) {
        chunk = remaining < 4096u ? remaining : 4096u;
        status = start_io(chunk);
        if (status != 0) goto cleanup;
#ifdef BROKEN
        if (chunk > 7u)
#endif
        remaining -= chunk;
      }
      break;
    case 4:
      alloc = __VERIFIER_nondet_int();
      if (!alloc) { status = -5; goto cleanup; }
      status = 0;
      break;
    default:
      status = -2;
      goto unlock;
    }
  cleanup:
    if (status == -5) alloc = 0;
  unlock:
    lower();
  }
  while (1) { int y; y = 0; y = y; }
}
