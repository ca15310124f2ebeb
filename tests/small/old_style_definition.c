int x;
int f(a, n)
int *a;
int n;
{
  *a = n;
  n = n + 1;
  return n;
}
int main() {
  x = f(&x, 2);
  return 0;
}
