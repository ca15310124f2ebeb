/* Traffic lights: north and east are never green together. */
extern int __VERIFIER_nondet_int(void);
int north, east, turn;
int main(void) {
  north = 0; east = 0; turn = 0;
  while (1) {
    if (turn == 0) {
#ifndef BROKEN
      east = 0;
#endif
      north = 1;
      if (__VERIFIER_nondet_int() == 0) { turn = 1; }
    } else {
      north = 0;
      east = 1;
      turn = 0;
    }
  }
}
