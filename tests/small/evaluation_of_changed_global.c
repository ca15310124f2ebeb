int mode = 5, x;
int ev(int v) { return v > mode; }
int main(void) {
  x = 2;
  mode = 1;
  return 0;
}
