int x;
void f(void) {
  x = 1;
  x = 2;
}
int main(void) {
  f();
  x = 0;
  return 0;
}
