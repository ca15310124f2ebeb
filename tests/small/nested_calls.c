int x;
int g(int a) {
  x = a;
  return a + 1;
}
int main(void) {
  x = g(x = g(1));
  return 0;
}
