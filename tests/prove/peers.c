/* Two contexts that are allocated at the start take turns; each knows the other. */
extern int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);
struct ctx { int state; struct ctx *peer; } *a, *b, *turn;
int done;
int main(void) {
  a = malloc(sizeof *a); b = malloc(sizeof *b);
  a->state = 0; b->state = 0; a->peer = b; b->peer = a;
  turn = a;
  while (1) {
    done = 0;
    while (turn->state < 3) {
#ifdef BROKEN
      if (__VERIFIER_nondet_int())
#endif
      turn->state++;
    }
    turn->state = 0;
    done = 1;
    turn = turn->peer;
  }
}
