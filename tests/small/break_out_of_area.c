int one(void) { return 1; }
int main(void) {
  while (1) {
  b:
    break;
  e:;
  }
  return 0;
}
