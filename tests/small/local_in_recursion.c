int x;
int f(int n) {
  int l = n;
b:
  if (n > 0)
    f(n - 1);
  l = n + 10;
e:
  return l;
}
int main(void) {
  f(1);
  return 0;
}
