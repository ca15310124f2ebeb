void f(int a[2]) {
b:
  a[1] = 3;
  a++;
  a[0] = 4;
  a--;
e:;
}
int main(void) {
  int z[3] = {1, 2, 9};
  f(z);
  return 0;
}
