/* A clock that wraps around, compared by its distance. */
unsigned short ticks; int beat;
extern int __VERIFIER_nondet_int(void);
int main(void) {
  unsigned short last = 0;
  while (1) {
    ticks++;
    beat = 0;
#ifdef BROKEN
    if (ticks > last + 100) {
#else
    if ((unsigned short)(ticks - last) >= 100) {
#endif
      beat = 1; last = ticks;
    }
  }
}
