int x;
int main(void) {
  for (int i = 0; i < 4; i++)
    switch (i) {
      int k;
    case 0 ... 1:
      k = i + 1;
      x = k;
      break;
    case 2:
      x = 7;
    default:
      x = 9;
    }
  return 0;
}
