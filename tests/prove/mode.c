/* Modes of a device: error is left only by a reset, which always comes. */
extern int __VERIFIER_nondet_int(void);
enum { OFF, ON, ERROR } mode;
int wait;
int main(void) {
  mode = OFF;
  wait = 0;
  while (1) {
    switch (mode) {
    case OFF: if (__VERIFIER_nondet_int()) mode = ON; break;
    case ON: if (__VERIFIER_nondet_int()) { mode = ERROR; wait = 3; } break;
    case ERROR:
#ifdef BROKEN
      if (wait == 2) { wait = 3; break; }
#endif
      if (wait > 0) wait--; else mode = OFF;
      break;
    }
  }
}
