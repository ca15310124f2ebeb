/* A state machine by function pointers. */
extern int __VERIFIER_nondet_int(void);
int busy, steps;
static void idle(void), work(void), done(void);
static void (*state)(void) = idle;
static void idle(void) { if (__VERIFIER_nondet_int()) { busy = 1; steps = 3; state = work; } }
static void work(void) {
#ifdef BROKEN
  if (__VERIFIER_nondet_int()) return;
#endif
  if (--steps <= 0) state = done;
}
static void done(void) { busy = 0; state = idle; }
int main(void) { while (1) state(); }
