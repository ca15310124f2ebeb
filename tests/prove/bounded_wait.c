/* A watchdog: the counter never passes its limit, and the alarm follows it. */
extern int __VERIFIER_nondet_int(void);
int ticks, alarm;
int main(void) {
  ticks = 0; alarm = 0;
  while (1) {
    if (__VERIFIER_nondet_int() == 0) { ticks = 0; alarm = 0; }
    else if (ticks < 10) ticks++;
#ifdef BROKEN
    if (ticks == 10 && __VERIFIER_nondet_int()) alarm = 1;
#else
    if (ticks == 10) alarm = 1;
#endif
  }
}
