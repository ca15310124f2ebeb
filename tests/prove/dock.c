/* A loading dock: a truck is let in while a bay is free; each truck that is let in is unloaded and leaves. The program
   assumes the range of its input right where it reads it. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
enum { BAYS = 3 };
#ifdef BROKEN
enum { MOST = 5 };
#else
enum { MOST = 2 };
#endif
struct bay { int taken; unsigned char left; } bays[BAYS];
int inside, turned_away, gate_open = 1;
static int free_bay(void) {
  for (int i = 0; i < BAYS; i++) if (!bays[i].taken) return i;
  return -1;
}
int main(void) {
  for (;;) {
    int load = __VERIFIER_nondet_int();
    __VERIFIER_assume(load >= 0 && load <= MOST);
    int at = free_bay();
    if (load > 0) {
      if (at < 0) turned_away = 1;
      else { bays[at].taken = 1; bays[at].left = load; inside++; }
    }
    gate_open = free_bay() >= 0;
    for (int i = 0; i < BAYS; i++)
      if (bays[i].taken && --bays[i].left == 0) { bays[i].taken = 0; inside--; }
  }
}
