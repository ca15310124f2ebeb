struct e {
  int k;
  char n[4];
} t[3];
int main(void) {
  struct e z = {3, "ab"};
  t[1] = z;
  t[2] = t[1];
  struct e *p = t;
  p[2].n[0]++;
  (p + 2)->k--;
  *(&t[2]) = (struct e){.n = "q"};
  return 0;
}
