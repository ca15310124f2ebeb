int one(void) { return 1; }
int x;
int main(void) {
  while (1) {
  b:
    x = 1;
    break;
  e:;
  }
  x = 2;
  return 0;
}
