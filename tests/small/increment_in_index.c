int x;
int a[3];
int main(void) {
  a[x++] = x;
  return 0;
}
