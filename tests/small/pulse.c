int x;
int main(void) {
  x = 1;
L:
  x = 2;
  x = 3;
  return 0;
}
