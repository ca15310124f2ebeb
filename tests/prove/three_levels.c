/* two resources, a worker that takes the cheaper one as long as both are there */
extern int nondet_int(void);
int a, b, c, busy, served;
int main(void) {
  while (1) {
    a = nondet_int(); b = nondet_int(); c = nondet_int();
    busy = 1;
    while (a > 0 && b > 0 && c > 0) {
      int w = nondet_int();
      if (w == 0) { a--; b = nondet_int(); c = nondet_int(); }
      else if (w == 1) { b--; c = nondet_int(); }
#ifdef BROKEN
      else if (c < 100) c--;
#else
      else c--;
#endif
    }
    busy = 0; served = 1; served = 0;
  }
}
