int one(void) { return 1; }
int x;
int main(int c, char **v) {
  if (c > 1)
  b:
    x = 1;
  x = 2;
e:
  return 0;
}
