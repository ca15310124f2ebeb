struct {
  unsigned a : 2;
} s;
int x;
int main(void) {
  x = (s.a = 7);
  return 0;
}
