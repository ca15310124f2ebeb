int x;
int main(void) {
  int n = 5, k = (n + 3) / 4;
  switch (n % 4) {
  case 0:
    do {
      x++;
    case 3:
    b:
      x++;
    case 2:
      x++;
    e:
    case 1:
      x++;
    } while (--k > 0);
  }
  return 0;
}
