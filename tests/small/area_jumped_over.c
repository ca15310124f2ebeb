int one(void) { return 1; }
int x;
int main(int c, char **v) {
  if (c > 1)
    goto mid;
b:
  x = 1;
mid:
  x = 2;
e:
  x = 3;
  return 0;
}
