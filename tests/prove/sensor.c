/* A sensor is read with a timeout; two misses in a row raise an alarm that a good value clears. */
extern int __VERIFIER_nondet_int(void);
int misses, alarm, reading, value;
static int read_sensor(void) {
  int tries = 0;
  while (tries < 10) {
    int v = __VERIFIER_nondet_int();
    if (v > 0) return v;
#ifdef BROKEN
    if (v == -3) continue;
#endif
    tries++;
  }
  return 0;
}
int main(void) {
  for (;;) {
    reading = 1;
    value = read_sensor();
    reading = 0;
    if (value == 0) { if (misses < 2) misses++; } else misses = 0;
    alarm = misses >= 2;
  }
}
