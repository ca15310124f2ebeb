int one(void) { return 1; }
int x;
int main(int c, char **v) {
  switch (c) {
  case 1:
  b:
    x = 1;
  case 2:
    x = 2;
  e:
    x = 3;
    break;
  case 3:
    x = 4;
  }
  return 0;
}
