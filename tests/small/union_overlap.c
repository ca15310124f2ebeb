union {
  int i;
  short s[2];
  struct {
    char a, b;
  } c;
} u;
int main(void) {
  u.s[0] = 3;
  u.c.b = 1;
  u.s[1] = 0;
  u.i = 0;
  return 0;
}
