/* Arrays whose lengths are variables that have one value, also as parameters. */
extern int nondet_int(void);
int best, finished;
static int sum(int n, int a[static n], int m, int b[n][m]) { int s = 0; for (int i = 0; i < n; i++) { s += a[i]; for (int j = 0; j < m; j++) s += b[i][j]; } return s; }
int main(void) {
  int n = 3, m = 2; int a[n]; int b[n][m];
  for (int i = 0; i < n; i++) { a[i] = nondet_int() & 1; for (int j = 0; j < m; j++) b[i][j] = nondet_int() & 1; }
  int (*row)[m] = b;
  best = sum(n, a, m, row);
  typeof(int[n + m]) c; c[sizeof c / sizeof *c - 1] = best;
  best = c[n + m - 1];
  finished = 1;
  return 0;
}
