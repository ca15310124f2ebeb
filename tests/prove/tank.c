/* A tank that is filled and drained by steps; an input out of range ends the run. */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
#ifdef BROKEN
enum { STEP = 7 };
#else
enum { STEP = 2 };
#endif
int level, alarm;
int main(void) {
  while (1) {
    int step = __VERIFIER_nondet_int();
    assume_abort_if_not(step >= -STEP && step <= STEP);
    if (level + step >= 0) level += step;
    if (level > 20) level = 0;
    alarm = level > 15;
  }
}
