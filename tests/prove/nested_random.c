/* Nested loops whose bounds are inputs, around a flag. */
extern int __VERIFIER_nondet_int(void);
int valid, i;
int main(void) {
  for (i = 0; i < 1000000; i++) {
    valid = 1;
    int k = __VERIFIER_nondet_int();
    if (k < 0) k = 0;
    int j = 0;
    while (j < k) {
#ifdef BROKEN
      if (j == 77) j = 3;
#endif
      j++;
    }
    valid = 0;
  }
  while (1) { }
}
