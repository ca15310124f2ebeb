int gt(int v) { return v > 2; }
void f(int n) {
b:
  n--;
e:;
}
int main(void) {
  f(3);
  return 0;
}
