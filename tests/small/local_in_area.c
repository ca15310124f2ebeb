int gt(int v) { return v > 2; }
void f(int n) {
  int k = n;
b:
  k++;
  k++;
e:;
}
int main(void) {
  f(1);
  f(0);
  return 0;
}
