int x;
int main(void) {
  int x = 5;
  x = 6;
  {
    extern int x;
    x = 1;
  }
  {
    typedef int x;
    x y = 3;
    (void)y;
  }
  struct {
    int x;
  } s;
  s.x = 9;
  return s.x ? x - 6 : 0;
}
