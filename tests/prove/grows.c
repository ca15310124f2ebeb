/* A time stamp grows for ever; the state never comes back before it wraps around. */
extern int __VERIFIER_nondet_int(void);
unsigned stamp; int done, mode;
int main(void) {
  mode = 1;
  while (1) {
    stamp++;
#ifdef BROKEN
    if (stamp == 0) done = 0;
#else
    if (stamp > 3) done = 1;
#endif
    if (stamp % 2 == mode) mode = !mode;
  }
}
