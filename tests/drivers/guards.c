/* Guards: a function runs where their block ends, however it is left. */
#define max(x, y) ({ __auto_type _m1 = (x); __auto_type _m2 = (y); _m1 > _m2 ? _m1 : _m2; })
extern int nondet_int(void);
int held, worst, rounds;
struct guard { int *p; };
static inline void guard_exit(struct guard *g) { if (g->p) (*g->p)--; }
#define guard(x) struct guard __attribute__((cleanup(guard_exit), unused)) scope = ({ (x)++; (struct guard){ &(x) }; })
static int op(int c) {
  guard(held);
  worst = max(worst, held);
  if (c < 0) return -1;
  { guard(held); worst = max(worst, held); if (c == 0) goto out; }
  return 1;
out:
  return 0;
}
int main(void) {
  for (;;) { int r = op(nondet_int()); rounds = (rounds + (r >= 0)) % 4; }
}
