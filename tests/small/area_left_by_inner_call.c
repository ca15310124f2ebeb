int one(void) { return 1; }
int y;
void f(int n) {
b:
  if (n > 0)
    f(n - 1);
e:
  y = 1;
}
int main(void) {
  f(2);
  return 0;
}
