/* A queue is filled to a mark and drained again, for ever. */
extern int __VERIFIER_nondet_int(void);
int items;
int main(void) {
  items = __VERIFIER_nondet_int();
  while (1) {
    while (items <= 5) items++;
    while (items > 2) {
#ifdef BROKEN
      if (__VERIFIER_nondet_int()) items--;
#else
      items--;
#endif
    }
  }
}
