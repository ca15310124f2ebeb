/* Double buffering: the one is filled while the other is drained. */
extern int __VERIFIER_nondet_int(void);
struct buffer { int count; int full; } one, two, *fill = &one, *drain = &two;
int served = 1;
int main(void) {
  while (1) {
    struct buffer *t;
    if (fill->count < 4) { fill->count++; served = 0; }
    if (drain->count > 0) drain->count--;
    fill->full = fill->count == 4;
    if (fill->full && drain->count == 0) {
      t = fill; fill = drain; drain = t;
#ifndef BROKEN
      drain->full = 0;
#endif
    }
    served = drain->count == 0;
  }
}
