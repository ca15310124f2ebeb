/* A state machine in a static local of a type without a name. */
extern int __VERIFIER_nondet_int(void);
int out, busy;
static void step(int in) {
  static struct { int state; int count; } s;
  switch (s.state) {
  case 0: if (in) { s.state = 1; s.count = 0; busy = 1; } break;
  case 1:
#ifdef BROKEN
    if (in > 5)
#endif
    s.count++;
    if (s.count >= 5) { s.state = 2; } break;
  case 2: busy = 0; out = !out; s.state = 0; break;
  }
}
int main(void) { while (1) step(__VERIFIER_nondet_int()); }
