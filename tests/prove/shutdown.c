/* After the switch is off, everything is closed in order, and the program ends. */
extern int __VERIFIER_nondet_int(void);
int running, files, closed;
int main(void) {
  running = 1; closed = 0; files = 0;
  while (running) {
    if (files < 8 && __VERIFIER_nondet_int() == 1) files++;
#ifndef BROKEN
    if (__VERIFIER_nondet_int() == 2 || files == 8) running = 0;
#else
    if (__VERIFIER_nondet_int() == 2 || files == 8) { running = 0; if (files == 0) return 1; }
#endif
  }
  while (files > 0) files--;
  closed = 1;
  return 0;
}
