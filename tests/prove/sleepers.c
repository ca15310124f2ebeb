/* A daemon that polls with a growing pause, up to a limit. */
extern int __VERIFIER_nondet_int(void);
int polling, ready, pause, slept;
static void sleep_ms(int ms) { slept = 0; while (slept < ms) slept++; }
int main(void) {
  while (1) {
    polling = 1;
    ready = 0;
    pause = 1;
    do {
      if (__VERIFIER_nondet_int() == 7) break;
      sleep_ms(pause);
#ifdef BROKEN
      pause = pause * 2 % 1023;
#else
      pause = pause * 2;
#endif
    } while (pause < 1024);
    polling = 0;
    ready = 1;
  }
}
