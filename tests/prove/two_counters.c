/* A loop whose counters need a sum with a coefficient. */
extern int __VERIFIER_nondet_int(void);
int x, y, done;
int main(void) {
  x = __VERIFIER_nondet_int();
  y = __VERIFIER_nondet_int();
  if (x > 1000 || x < 0 || y > 1000 || y < 0) { x = 5; y = 5; }
  while (x > 0 || y > 0) {
    if (x > 0) { x--; y += __VERIFIER_nondet_int() ? 2 : 1; }
    else y--;
#ifdef BROKEN
    if (y == 7) x++;
#endif
    if (x > 0 && y > 0 && __VERIFIER_nondet_int()) y--;
  }
  done = 1;
  return 0;
}
