struct {
  union {
    int a;
    unsigned char b[4];
  };
  struct {
    int c;
  };
} s;
int main(void) {
  s.b[0] = 1;
  s.c = 3;
  s.a = 9;
  return 0;
}
