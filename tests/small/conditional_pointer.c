int x, y;
int main(void) {
  int c = 1;
  *(c ? &x : &y) = 1;
  *(x ? &x : &y) = 2;
  *(x == 2 ? &y : &x) = 7;
  return 0;
}
