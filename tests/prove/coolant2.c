/* A coolant controller: limits are set, levels read, and warnings shown for as long as they last. */
extern int __VERIFIER_nondet_int(void);
extern int __VERIFIER_nondet_char(void);
int limit = 5, water, warn, init, errors, display_on, temp, wait, otime, chan;
static void show(int value) { display_on = value; }
static int read_temp(void) { int t = __VERIFIER_nondet_int(); if (t < -50 || t > 150) t = 20; return t; }
static void setup(void) {
  char c = __VERIFIER_nondet_char();
  while (!init) {
    c = __VERIFIER_nondet_char();
    if (c == 'y') limit = __VERIFIER_nondet_int();
    if (limit > 0 && limit < 100) init = 1;
    else { show(-1); limit = 5; init = 1; }
  }
}
int main(void) {
  init = 0; warn = 0;
  setup();
  init = 3;
  while (1) {
    temp = read_temp();
    if (temp > limit) {
      warn = 1;
      errors++;
    }
#ifdef BROKEN
    else if (errors > 3) { warn = 0; }
#endif
    show(temp);
    otime++;
    for (wait = 0; wait < 100; wait++) ;
    if (chan >= 3) chan = 0; else chan++;
  }
}
