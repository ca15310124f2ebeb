int x;
int main(void) {
  __auto_type p = &x;
  *p = 1;
  __typeof__(x) *q = &x;
  *q = 2;
  return 0;
}
