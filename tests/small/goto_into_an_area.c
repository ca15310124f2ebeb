int x;
int main(void) {
  goto in;
  for (int i = 0; i < 2; i++) {
  in2:;
  }
  if (0) {
  in:
  b:
    x = 1;
    x = 2;
  e:
    x = 3;
  }
  return 0;
}
