int f(void) {
  static int n;
  n++;
  return n;
}
int main(void) {
  f();
  f();
  return 0;
}
