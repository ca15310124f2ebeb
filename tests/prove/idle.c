/* A machine whose states have no order always comes back to its first one. */
extern int __VERIFIER_nondet_int(void);
int state;
int main(void) {
  state = 0;
  while (1) {
    int input = __VERIFIER_nondet_int();
    switch (state) {
    case 0: state = input > 0 ? 3 : 5; break;
    case 3: state = 1; break;
    case 1: state = 2; break;
#ifdef BROKEN
    case 2: state = input == 7 ? 3 : 0; break;
#else
    case 2: state = 0; break;
#endif
    case 5: state = 4; break;
    default: state = 0;
    }
  }
}
