int x;
int f(int a) {
  x = a + 1;
  return a;
}
int main(void) {
  f(x = 1);
  x = f(5) + f(7);
  return 0;
}
