/* A server that accepts connections: a bounded number of workers, each freed again; errors are tried again. */
extern int __VERIFIER_nondet_int(void);
int waiting, served, workers;
static int accept_one(void) {
  int status = __VERIFIER_nondet_int();
  while (status == 4) status = __VERIFIER_nondet_int() ? 0 : -1;
  return status;
}
int main(void) {
  int limit = 8;
  while (1) {
    served = 0;
    waiting = 1;
    int status = accept_one();
    if (status < 0) { waiting = 0; served = 1; continue; }
    workers++;
#ifdef BROKEN
    while (workers > limit) { }
#else
    while (workers > limit) workers--;
#endif
    waiting = 0;
    served = 1;
  }
}
