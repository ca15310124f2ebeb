/* A machine of phases that returns to its start, with static locals and pointers to its state. */
extern int __VERIFIER_nondet_int(void);
struct machine { int phase, ticks; } m;
static void step(struct machine *p) {
  static int calls;
  calls = (calls + 1) % 4;
  switch (p->phase) {
  case 0: if (__VERIFIER_nondet_int() || calls == 0) p->phase = 1; break;
  case 1: p->ticks++; if (p->ticks >= 10) p->phase = 2; break;
  case 2: p->ticks = 0;
#ifdef BROKEN
    if (calls == 1) p->phase = 1; else
#endif
    p->phase = 0; break;
  }
}
int main(void) {
  while (1) step(&m);
}
