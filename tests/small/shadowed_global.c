int x;
void f(void) {
  int x = 5;
  x = 6;
  (void)x;
}
int main(void) {
  f();
  return 0;
}
