int a[4], i;
int main(void) {
  a[i++] = 1;
  a[i++] = 2;
  a[a[0]] = 3;
  i[a] = 4;
  return 0;
}
