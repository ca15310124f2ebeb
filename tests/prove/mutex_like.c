/* Two tasks are taken in turns; each enters only when the other is out. */
extern int __VERIFIER_nondet_int(void);
int turn, in0, in1;
int main(void) {
  while (1) {
    if (turn == 0) {
      in0 = 1;
      in0 = 0;
#ifdef BROKEN
      if (__VERIFIER_nondet_int())
#endif
      turn = 1;
    } else {
      in1 = 1;
      in1 = 0;
      turn = 0;
    }
  }
}
