int mode = 5, x;
int h(void) { return mode; }
int ev(int v) { return v > h(); }
int main(void) {
  x = 2;
  mode = 1;
  return 0;
}
