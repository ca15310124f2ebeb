int gt(int a, int b) { return a > b; }
void f(void) {
  int u = 5;
b:
  u = 6;
e:;
}
void g(void) {
  int w = 3;
  w = 4;
}
int main(void) {
  f();
  g();
  return 0;
}
