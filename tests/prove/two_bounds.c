/* Two nested counters with bounds from inputs, and then an endless loop. */
extern int __VERIFIER_nondet_int(void);

int i, j, n, m, phase;
int main(void) {
  n = __VERIFIER_nondet_int(); m = __VERIFIER_nondet_int();
  if (n < 0 || n > 10000) n = 10;
  if (m < 0 || m > 10000) m = 10;
  phase = 1;
  for (i = 0; i < n; i++)
    for (j = 0; j < m; j++) {
#ifdef BROKEN
      if (i == 7 && j == 7 && m == 9) { i = 0; }
#endif
    }
  phase = 2;
  for (;;) { phase = 3; phase = 2; }
}
