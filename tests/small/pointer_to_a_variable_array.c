int x;
int main(void) {
  int n = 3;
  int a[n];
  a[0] = 0;
  a[2] = 5;
  int(*p)[n] = &a;
  (*p)[0] = x = 1;
  x = a[0] + a[2];
  return 0;
}
