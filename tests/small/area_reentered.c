int one(void) { return 1; }
int x;
int main(void) {
  for (int i = 0; i < 3; i++) {
  b:
    x++;
    if (i == 1)
      goto b2;
  }
b2:
  x = 9;
e:
  return 0;
}
