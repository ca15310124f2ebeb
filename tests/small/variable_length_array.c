int x;
int main(int c, char **v) {
  int n = 3;
  int a[n];
  a[2] = 5;
  x = a[2];
  return 0;
}
