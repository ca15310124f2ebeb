/* A controller with a display: a limit is read until it is in range, then temperatures are watched. */
extern int __VERIFIER_nondet_int(void);
int phase, alarm, lamp, temperature, shown;
static void display(int value, int warning) { shown = value; lamp = warning; }
static void watch(void) {
  while (1) {
    temperature = __VERIFIER_nondet_int();
    if (temperature > 100) alarm = 1;
#ifdef BROKEN
    else if (temperature == -1) alarm = 0;
#endif
    display(temperature, alarm);
  }
}
int main(void) {
  int limit = 0;
  phase = 1;
  do {
    limit = __VERIFIER_nondet_int();
    display(limit, !(limit < 10 && limit > -273));
  } while (!(limit < 10 && limit > -273));
  phase = 2;
  watch();
}
