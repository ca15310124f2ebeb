union {
  int i;
  char c[4];
} u;
int main(void) {
  u.c[0] = 1;
  return 0;
}
