/* A recursion with two calls between a request and its answer. */
extern int __VERIFIER_nondet_int(void);
int open_, closed_, depth;
static int walk(int level) {
  if (level <= 0) return 1;
  int l = walk(level - 1);
  if (__VERIFIER_nondet_int()) l += walk(level - 2);
  return l;
}
int main(void) {
  for (;;) {
    closed_ = 0; open_ = 1;
    depth = __VERIFIER_nondet_int();
    if (depth < 0 || depth > 4) depth = 4;
    int r = walk(depth);
#ifdef BROKEN
    while (r > 0) { if (__VERIFIER_nondet_int()) r--; }
#endif
    open_ = 0; closed_ = 1;
  }
}
