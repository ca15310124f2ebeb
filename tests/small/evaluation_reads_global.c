int mode, x;
int ev(int v) { return v > mode; }
int main(void) {
  x = 2;
  mode = 5;
  return 0;
}
