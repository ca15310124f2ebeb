/* An arbiter of four clients, in an array of structs. */
extern int __VERIFIER_nondet_int(void);
struct client { int wants; int uses; } c[5];
int owner, grant, next = 1;
static void sample(void) {
  int i;
  for (i = 1; i <= 4; i++) {
    if (__VERIFIER_nondet_int() == i) c[i].wants = 1;
  }
}
static void serve(int i) {
  owner = i;
  grant = 1;
  c[i].uses = __VERIFIER_nondet_int();
  if (c[i].uses > 50) c[i].uses = 50;
  while (c[i].uses > 0) c[i].uses--;
  c[i].wants = 0;
#ifdef BROKEN
  if (i == 3) return;
#endif
  grant = 0;
  owner = 0;
}
int main(void) {
  while (1) {
    sample();
    if (c[next].wants) serve(next);
#ifdef BROKEN
    if (next == 3 && owner == 3) { owner = 0; while (1) ; }
#endif
    next = next == 4 ? 1 : next + 1;
  }
}
