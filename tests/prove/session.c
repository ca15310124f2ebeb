/* A session protocol with an enumeration, retries and a close. */
extern int __VERIFIER_nondet_int(void);
enum state { CLOSED, OPENING, OPEN, CLOSING } state;
int retries;
int main(void) {
  while (1) {
    int in = __VERIFIER_nondet_int();
    switch (state) {
    case CLOSED: if (in == 1) { state = OPENING; retries = 0; } break;
    case OPENING:
      if (in == 2) state = OPEN;
      else if (++retries >= 3) state = CLOSED;
      break;
    case OPEN: if (in == 3) state = CLOSING; break;
    case CLOSING:
#ifdef BROKEN
      if (in == 4)
#endif
      state = CLOSED; break;
    }
  }
}
