/* A walk to zero, up or down, as far as an input says, with a lock held. */
extern int __VERIFIER_nondet_int(void);

int lock, x, w;
void work(int k) { int i = k; while (i != 0) { i = i > 0 ? i - 1 : i + 1; } }
int main(void) {
  for (;;) {
    lock = 1;
    if (__VERIFIER_nondet_int()) { x = __VERIFIER_nondet_int(); work(x); }
#ifdef BROKEN
    if (x == 17) continue;
#endif
    lock = 0;
    w++;
  }
}
