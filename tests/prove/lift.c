/* A cabin that is moved through pointers. */
extern int __VERIFIER_nondet_int(void);
typedef struct { int floor; int target; int door; int dir; } cabin;
cabin c; int arrived;
static void choose(cabin *x) { int t = __VERIFIER_nondet_int(); if (t < 0) t = 0; if (t > 9) t = 9; x->target = t; }
static void move(cabin *x) {
  if (x->floor < x->target) { x->dir = 1; x->floor++; }
  else if (x->floor > x->target) { x->dir = -1; x->floor--; }
  else x->dir = 0;
}
int main(void) {
  cabin *x = &c;
  while (1) {
    arrived = 0; x->door = 0;
    choose(x);
    while (x->floor != x->target) {
      move(x);
#ifdef BROKEN
      if (x->floor == 5) choose(x);
#endif
    }
    arrived = 1; x->door = 1;
  }
}
