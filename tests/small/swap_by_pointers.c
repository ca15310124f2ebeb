int a = 1, b = 2;
void sw(int *p, int *q) {
  int t = *p;
  *p = *q;
  *q = t;
}
int main(void) {
  sw(&a, &b);
  int *v[2] = {&a, &b};
  *v[0] = 5;
  *v[1] ^= 7;
  return 0;
}
