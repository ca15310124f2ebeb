/* Flags in one word: set, cleared, tested by masks. */
extern unsigned __VERIFIER_nondet_uint(void);
unsigned flags; int busy;
int main(void) {
  while (1) {
    flags |= 1u << (__VERIFIER_nondet_uint() % 4u);
    busy = 1;
    unsigned rest = flags & 15u;
    while (rest) {
#ifdef BROKEN
      if (rest == 8u) rest = 9u; else
#endif
      rest &= rest - 1;
    }
    flags = 0;
    busy = 0;
  }
}
