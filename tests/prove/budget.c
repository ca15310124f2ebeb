/* Work goes on while there is budget; each piece costs at least one. */
extern int __VERIFIER_nondet_int(void);
int budget, cost, over;
int main(void) {
  budget = __VERIFIER_nondet_int();
  over = 0;
  while (budget > 0) {
    cost = __VERIFIER_nondet_int();
#ifdef BROKEN
    if (cost < 0 || cost > budget) cost = 1;
#else
    if (cost < 1 || cost > budget) cost = 1;
#endif
    budget = budget - cost;
  }
  over = 1;
  return 0;
}
