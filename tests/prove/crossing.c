/* A level crossing: lamps, barrier, motor and signal are moved by rules; the time stamps and a count of trains have any value. */
#ifndef BROKEN
#define SAFE 1
#else
#define SAFE 0
#endif
int nondet_int(void);
unsigned trains, last, now;
int phase = 2, barrier = 7, lamp = 1, motor = 4, signal = 9;
int main(void) {
  while (1) {
    int event = nondet_int();
    unsigned stamp = (unsigned)nondet_int();
    now = now + stamp % 7u;
    if (event == 1 && phase == 2 && barrier == 7 && lamp == 1 && motor == 4 && signal == 9) {
      phase = 5; lamp = 3; trains = trains + 1u; last = now;
    } else if (event == 2 && phase == 5 && lamp == 3 && motor == 4 && barrier == 7) {
      motor = 6; phase = 8;
    } else if (event == 3 && phase == 8 && motor == 6 && barrier == 7) {
      barrier = 5; motor = 4; phase = 11;
    } else if (event == 4 && phase == 11 && now - last > 3u && barrier == 5 && lamp == 3) {
      signal = 12; phase = 14;
    } else if (event == 5 && phase == 14 && signal == 12) {
      signal = 9; phase = 8 + 9 * SAFE;
    } else if (event == 6 && phase == 17 && signal == 9 && barrier == 5) {
      motor = 10; phase = 20;
    } else if (event == 7 && phase == 20 && motor == 10 && barrier == 5) {
      barrier = 7; motor = 4; lamp = 1; phase = 2;
    } else if (event == 8 && phase == 8 && motor == 4 && barrier == 5 && lamp == 3) {
      /* The barrier is asked to close again although it is closed. */
      barrier = 7; phase = 14; signal = 12;
    } else if (event == 9 && phase == 14 && barrier == 7 && signal == 12) {
      signal = 12; lamp = 1;
    }
  }
}
