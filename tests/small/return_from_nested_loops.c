int one(void) { return 1; }
int x;
int f(void) {
  for (;;)
    for (;;) {
    b:
      x = 1;
      return 3;
    e:;
    }
}
int main(void) {
  f();
  x = 5;
  return 0;
}
