/* A burglar alarm as a switch machine with an enum and a struct. */
extern int __VERIFIER_nondet_int(void);
enum state { IDLE, ARMED, ALARM, LOCKED } state;
struct panel { int code; int tries; int siren; } p;
static int entered(void) { p.code = __VERIFIER_nondet_int(); return p.code == 1234; }
static void step(int sensor) {
  switch (state) {
  case IDLE:
    p.siren = 0; p.tries = 0;
    if (entered()) state = ARMED;
    break;
  case ARMED:
    if (sensor > 0) { state = ALARM; p.siren = 60; }
    else if (entered()) state = IDLE;
    break;
  case ALARM:
    p.siren--;
#ifdef BROKEN
    if (p.siren == 0 && p.tries > 2) { state = LOCKED; break; }
    p.tries++;
#endif
    if (p.siren <= 0 || entered()) state = IDLE;
    break;
  case LOCKED:
    p.tries = 0;
    break;
  }
}
int main(void) {
  state = IDLE;
  while (1) step(__VERIFIER_nondet_int());
}
