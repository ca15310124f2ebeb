int a[4];
int main(void) {
  int *p = a;
  *p++ = 1;
  *p = 2;
  return 0;
}
