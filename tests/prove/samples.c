/* Functions fill, search and sort an array of their caller. */
extern int sample(void);
int level, lo, hi, done;
static void fill(int *a, int n) {
  for (int i = 0; i < n; i++) {
    int v = sample();
    if (v < 0) v = 0;
    if (v > 99) v = 99;
    a[i] = v;
  }
}
static int greatest(const int *a, int n) {
  int m = a[0];
  for (int i = 1; i < n; i++)
    if (a[i] > m) m = a[i];
  return m;
}
static void sort(int *a, int n) {
  for (int i = 1; i < n; i++) {
    int v = a[i], j = i;
    while (j > 0 && a[j - 1] > v) {
      a[j] = a[j - 1];
      j--;
    }
    a[j] = v;
  }
}
int main(void) {
  int w[4];
  while (1) {
    done = 0;
    fill(w, 4);
    level = greatest(w, 4);
    sort(w, 4);
    lo = w[0];
#ifdef BROKEN
    hi = w[2];
#else
    hi = w[3];
#endif
    done = 1;
  }
}
