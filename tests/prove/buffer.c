/* A ring buffer: what is put in is taken out before it overflows. */
extern int __VERIFIER_nondet_int(void);
int head, tail, count, overflow, drained;
int main(void) {
  while (1) {
    drained = 0;
    int n = __VERIFIER_nondet_int();
    while (n > 0 && count < 16) {
      head = (head + 1) % 16;
      count++;
      n--;
    }
    if (count > 16) overflow = 1;
    while (count > 0) {
      tail = (tail + 1) % 16;
#ifdef BROKEN
      if (tail != 5)
#endif
      count--;
    }
    drained = 1;
  }
}
