/* A local hides an object that a pointer may lead to; another such object is declared later. */
extern int __VERIFIER_nondet_int(void);
int x, y; int *p = &x;
void step(void);
int main(void) {
  while (1) {
    int x = 3;
    p = __VERIFIER_nondet_int() ? &y : p;
    step();
    if (x != 3) y = 9;
  }
}
extern int later; 
static int *q;
void step(void) { int n = 0; while (n < 3) { n++; if (q && *q < 2) ++*q; q = &later; *p = 1; } }
int later;
