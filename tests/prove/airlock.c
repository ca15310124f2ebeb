/* Two doors of a lock: either is opened only while the other is shut. */
int nondet_int(void);
int left = 2, right = 6;
int alarm;
int main(void) {
  while (1) {
    int event = nondet_int();
    if (event == 1 && right == 6) left ^= 1;
#ifdef BROKEN
    else if (event == 2 && left >= 2) right ^= 1;
#else
    else if (event == 2 && left == 2) right ^= 1;
#endif
    else if (event == 3 && left == 3 && right == 7) alarm = 1;
  }
}
