int s;
int main(void) {
  for (int i = 0; i < 3; i++) {
  b:
    s += i;
  e:;
  }
  return 0;
}
