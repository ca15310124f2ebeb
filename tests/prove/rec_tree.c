/* Both subtrees of each node of a tree that lies in an array are visited. */
extern int __VERIFIER_nondet_int(void);
int visiting, seen;
static void visit(int node) {
  if (node >= 1000) return;
  seen = 1;
  seen = 0;
#ifdef BROKEN
  if (node == 7) visit(node);
#endif
  visit(2 * node + 1);
  visit(2 * node + 2);
}
int main(void) {
  while (1) {
    visiting = 1;
    visit(__VERIFIER_nondet_int() & 15);
    visiting = 0;
  }
}
