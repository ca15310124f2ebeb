/* A transaction protocol: idle, begun, prepared, committed; aborts at any time; timeouts by a counter. */
extern int __VERIFIER_nondet_int(void);
int s, seen2, timeout;
static void go(int to) { s = to; timeout = 25; }
static void on_message(int m) {
  switch (s) {
  case 0: if (m == 10) { seen2 = 0; go(1); } break;
  case 1:
    if (m == 20) { seen2 = 1; go(2); }
    else if (m == 99) go(0);
#ifdef BROKEN
    else if (m == 30) go(3);
#endif
    break;
  case 2:
    if (m == 30) go(3);
    else if (m == 99) go(0);
#ifdef BROKEN
    else if (m == 21) go(2);
#endif
    break;
  case 3:
    go(0);
    break;
  }
}
static void on_tick(void) { if (s != 0) { timeout = timeout - 1; if (timeout <= 0) s = 0; } }
int main(void) {
  while (1) {
    int e = __VERIFIER_nondet_int();
    if (e > 0) on_message(e); 
    on_tick();
  }
}
