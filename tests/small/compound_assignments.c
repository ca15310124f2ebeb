int x = 7;
int main(void) {
  x <<= 2;
  x %= 5;
  x ^= 1;
  return 0;
}
