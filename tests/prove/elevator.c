/* A lift that goes to the floor that is called, one floor a step. */
extern int __VERIFIER_nondet_int(void);
int floor_now, target, moving, arrived;
int main(void) {
  floor_now = 0;
  while (1) {
    target = __VERIFIER_nondet_int() & 7;
    arrived = 0;
    moving = 1;
    while (floor_now != target) {
      if (floor_now < target) floor_now++;
#ifdef BROKEN
      else if (target != 3) floor_now--;
#else
      else floor_now--;
#endif
    }
    moving = 0;
    arrived = 1;
  }
}
