int a[3], i;
int main(void) {
  i = 1;
  a[1] = 5;
  i = 2;
  a[2] = 6;
  i = 0;
  return 0;
}
