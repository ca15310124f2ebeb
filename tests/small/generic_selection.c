int x, y;
int main(void) {
  *_Generic(x, int : &x, default : &y) = 1;
  return 0;
}
