int x;
int main(void) {
  int y = (x = 1, x = 2, x + 1);
  return y;
}
