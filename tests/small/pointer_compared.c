int a, b;
int *p;
int main(void) {
  p = &a;
  a = 3;
  p = &b;
  b = 4;
  return 0;
}
