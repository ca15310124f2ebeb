/* The rank is 2 * x + y: a step takes one from x and gives one to y, or takes one from y. */
extern int __VERIFIER_nondet_int(void);
int x, y, done;
int main(void) {
  x = 1000; y = 0;
  while (x + y > 0) {
    if (x > 0 && __VERIFIER_nondet_int()) { x--; y++; }
    else if (y > 0) y--;
    else x--;
#ifdef BROKEN
    if (x < 1000 && y > 3 && __VERIFIER_nondet_int()) { x++; y--; }
#endif
  }
  done = 1;
  while (1) ;
}
