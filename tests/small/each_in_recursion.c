int x;
void f(int n) {
b:
  if (n > 0)
    f(n - 1);
e:;
}
int main(void) {
  f(2);
  return 0;
}
