int gt(int a, int b) { return a > b; }
void g(void) {
  int w = 3;
  w = 4;
}
void f(void) {
  int u = 5;
b:
  u = 6;
  g();
e:;
}
int main(void) {
  f();
  return 0;
}
