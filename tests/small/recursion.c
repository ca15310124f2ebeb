int x;
void f(int n) {
  if (n == 0)
    return;
  x = n;
  f(n - 1);
}
int main(void) {
  f(3);
  return 0;
}
