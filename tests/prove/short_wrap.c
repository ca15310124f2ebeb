/* Counters of small types wrap around, and come by each value. */
unsigned char tick; short s; int fired;
int main(void) {
  while (1) {
    tick++;
    fired = tick == 200;
#ifdef BROKEN
    if (tick >= 150) tick = 10;
#endif
  }
}
