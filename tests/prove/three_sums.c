/* Three counters of which the sum alone falls. */
int nondet_int(void);
int done;
int main(void) {
  int x = nondet_int(), y = nondet_int(), z = nondet_int();
  while (x + y + z > 0) {
    int way = nondet_int();
    if (way == 0) {
      x--;
    } else if (way == 1) {
      y -= 2;
      x++;
#ifdef BROKEN
      y++;
#endif
    } else {
      z -= 3;
      y++;
      x++;
    }
  }
  done = 1;
  return 0;
}
