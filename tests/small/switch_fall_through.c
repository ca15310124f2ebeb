int x;
int main(int c, char **v) {
  switch (c) {
  case 1:
    x = 1;
  case 2:
    x = 2;
    break;
  default:
    x = 3;
  }
  return 0;
}
