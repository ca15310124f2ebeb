/* A loop after a database's archiver: woken, it copies what is ready, with retries, and sleeps. */
#define NULL 0
extern int __VERIFIER_nondet_int(void);
int wakened, got_sighup, time_left, copied, failures;
static void wait_latch(int ms) { (void)ms; }
static int copy_file(void) { return __VERIFIER_nondet_int(); }
static void copy_all(void) {
  int ready = __VERIFIER_nondet_int();
  while (ready > 0) {
    failures = 0;
    for (;;) {
      if (copy_file()) { ready--; break; }
#ifdef BROKEN
      if (++failures > 3) { failures = 0; wait_latch(10); continue; }
#else
      if (++failures >= 3) return;
#endif
      wait_latch(1000);
    }
  }
}
int main(void) {
  wakened = 1;
  time_left = 0;
  do {
    if (got_sighup) got_sighup = 0;
    if (wakened) {
      wakened = 0;
      copied = 0;
      copy_all();
      copied = 1;
    }
    if (!wakened) {
      time_left = 60;
      while (time_left > 0 && !wakened) {
        if (__VERIFIER_nondet_int()) wakened = 1;
        time_left--;
      }
      wakened = 1;
    }
  } while (__VERIFIER_nondet_int() != 3);
  return 0;
}
