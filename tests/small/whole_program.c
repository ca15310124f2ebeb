int x = 5;
int gt(int v) { return v > 2; }
int main(void) {
  x = 1;
  return 0;
}
