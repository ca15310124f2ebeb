int b[3] = {5, 6, 7};
int a[3];
int main(void) {
  int *p = a, *q = b;
  *p++ = *q++;
  *p++ = *q++;
  *p = *q;
  return 0;
}
