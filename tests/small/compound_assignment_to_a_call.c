int x, g;
int *f(void) {
  g++;
  return &x;
}
int main(void) {
  *f() += 1;
  *f() += 1;
  (*f())++;
  --*f();
  f()[0] = 9;
  return 0;
}
