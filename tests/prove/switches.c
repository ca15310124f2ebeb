/* Six lamps are switched at will, and time passes. The alarm goes off in one combination of a lock's four parts, which it must not reach. */
#ifndef BROKEN
#define SAFE 1
#else
#define SAFE 0
#endif
int nondet_int(void);
int s0, s1, s2, s3, s4, s5;
unsigned long elapsed;
int a = 1, b = 3, c = 5, d = 7;
int alarm;
int main(void) {
  while (1) {
    unsigned k = (unsigned)nondet_int();
    elapsed = elapsed + k % 5u;
    if (k == 100u) s0 = s0 == 0 ? 1 : 0;
    if (k == 101u) s1 = s1 == 0 ? 1 : 0;
    if (k == 102u) s2 = s2 == 0 ? 1 : 0;
    if (k == 103u) s3 = s3 == 0 ? 1 : 0;
    if (k == 104u) s4 = s4 == 0 ? 1 : 0;
    if (k == 105u) s5 = s5 == 0 ? 1 : 0;
    int event = nondet_int();
    if (event == 50 && s0 + s1 + s2 + s3 + s4 + s5 > 5) { if (b == 4 && d == 8) a = 2; }
    else if (event == 1 && a == 1 && b == 3) { a = 2; c = 6; }
    else if (event == 2 && a == 2 && c == 6 && d == 7) { b = 4; d = 8; }
    else if (event == 3 && a == 2 && b == 4 && d == 8) { c = 5; a = 1; elapsed = 0; }
    else if (event == 4 && a == 1 && b == 4 && c == 5) { b = 3; d = 7; }
    else if (event == 5 && a == 2 && b == 3 && c == 5) { d = 8; }
    else if (event == 6 && a == 2 && b == 4 && c == 6 && d == 7 && elapsed > 9ul) { alarm = 1; }
#if !SAFE
    else if (event == 7 && a == 2 && b == 4 && c == 6 && d == 8) { d = 7; }
#endif
    else if (event == 8 && a == 1 && b == 3 && c == 6 && d == 8) { b = 4; d = 7; a = 2; }
    else if (event == 9 && a == 1 && b == 4 && c == 6) { b = 3; d = 8; }
  }
}
