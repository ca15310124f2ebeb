int x;
int main(void) {
  void *t[] = {&&a, &&b};
  int i = 0;
  goto *t[i];
a:
  x = 1;
  i = 1;
  goto *t[i];
  x = 8;
b:
  x = 2;
  return 0;
}
