int x;
int main(void) {
  x = 5;
  if (x == 4) {
  s:;
  }
  return 0;
}
