void g(int m) {
c:
  m++;
d:;
}
void f(int n) {
  n++;
  g(n);
}
int main(void) {
  f(1);
  return 0;
}
