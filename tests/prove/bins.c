/* Three bins in an array: each round takes from any of them until all are empty. */
extern int __VERIFIER_nondet_int(void);

int items[3], total, served;
int main(void) {
  while (1) {
    for (int j = 0; j < 3; j++) { int v = __VERIFIER_nondet_int(); items[j] = v > 0 && v < 1000 ? v : 1; }
    served = 0;
    while (items[0] + items[1] + items[2] > 0) {
      int j = __VERIFIER_nondet_int();
      if (j < 0 || j > 2) j = 0;
      if (items[j] > 0) items[j]--;
      else if (items[0] > 0) items[0]--;
      else if (items[1] > 0) items[1]--;
#ifndef BROKEN
      else items[2]--;
#endif
    }
    served = 1;
  }
}
