int f(void) {
  static int c;
b:
  c++;
e:
  return c;
}
int main(void) {
  f();
  f();
  return 0;
}
