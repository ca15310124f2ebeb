/* A boiler whose display is limited, with a nested settling loop. */
extern int __VERIFIER_nondet_int(void);
int temp = 20, heat, cool, mode, shown, target;
static int get_target(void) {
  int t = __VERIFIER_nondet_int();
  if (t > 100) t = 100;
  if (t < 10) t = 10;
  return t;
}
static void display(void) { shown = temp; if (shown > 99) shown = 99; }
static void regulate(void) {
  mode = 1;
  while (temp != target) {
    if (temp < target) { cool = 0; heat = 1; temp++; }
    else { heat = 0; cool = 1; temp--; }
#ifdef BROKEN
    if (__VERIFIER_nondet_int() == 7) target = get_target();
#endif
    display();
  }
  heat = 0; cool = 0;
  mode = 0;
}
int main(void) {
  while (1) {
    target = get_target();
    regulate();
    temp += __VERIFIER_nondet_int() > 0 ? 30 : 0;
    if (temp > 130) temp = 130;
  }
}
