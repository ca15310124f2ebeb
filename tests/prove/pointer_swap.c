/* Two buffers are used in turn through a pointer that changes. */
extern int __VERIFIER_nondet_int(void);
int a, b, full;
int *current;
int main(void) {
  current = &a;
  while (1) {
    full = 0;
    *current = 0;
    while (*current < 10) {
#ifdef BROKEN
      if (current == &a || *current < 9 || __VERIFIER_nondet_int())
#endif
      ++*current;
    }
    full = 1;
    current = current == &a ? &b : &a;
  }
}
