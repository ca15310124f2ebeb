int x, y;
int main(void) {
  x = y = 3;
  return 0;
}
