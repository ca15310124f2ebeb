/* A safety property of what a recursion does to a global. */
extern int __VERIFIER_nondet_int(void);
int height, top;
static int climb(int n) {
  if (n <= 0 || height >= 100) return 0;
  height++;
  int r = climb(n - 1);
#ifdef BROKEN
  if (n == 3) height++;
#endif
  height--;
  return r + 1;
}
int main(void) {
  while (1) {
    climb(__VERIFIER_nondet_int());
    top = height;
  }
}
