/* A queue in an array of jobs; each job is run until it is done. */
extern int __VERIFIER_nondet_int(void);
int jobs[4], at, idle;
int main(void) {
  while (1) {
    idle = 0;
    for (at = 0; at < 4; at++) {
      jobs[at] = __VERIFIER_nondet_int();
      if (jobs[at] < 0 || jobs[at] > 50) jobs[at] = 1;
    }
    for (at = 0; at < 4; at++)
      while (jobs[at] > 0) {
#ifdef BROKEN
        if (at != 2 || jobs[at] != 33)
#endif
        jobs[at]--;
      }
    idle = 1;
  }
}
