void g(int m) {
c:
  m++;
d:;
}
void f(int n) {
b:
  n++;
  g(n);
e:;
}
int main(void) {
  f(1);
  return 0;
}
