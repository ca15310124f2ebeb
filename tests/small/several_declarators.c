int x;
int main(void) {
  int a = 1, b = a + 1;
  x = b;
  return 0;
}
