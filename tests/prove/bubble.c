/* Bubble sort of three cells until nothing is swapped. */
extern int __VERIFIER_nondet_int(void);
int a[3], sorted, swaps;
static int digit(void) { int d = __VERIFIER_nondet_int(); return d < 0 ? 0 : d > 9 ? 9 : d; }
int main(void) {
  int i, swapped;
  for (i = 0; i < 3; i++) a[i] = digit();
  do {
    swapped = 0;
    for (i = 0; i + 1 < 3; i++) {
#ifdef BROKEN
      if (a[i] >= a[i + 1]) {
#else
      if (a[i] > a[i + 1]) {
#endif
        int t = a[i]; a[i] = a[i + 1]; a[i + 1] = t;
        swapped = 1;
        swaps++;
      }
    }
  } while (swapped);
  sorted = 1;
  return 0;
}
