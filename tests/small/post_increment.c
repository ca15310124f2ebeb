int x;
int y;
int main(void) {
  y = x++ + 5;
  return 0;
}
