int m[2][3];
int main(void) {
  int(*r)[3] = m;
  r[1][2] = 5;
  int *p = &m[0][0];
  p[5] = 6;
  (*(m + 1))[2] = 7;
  *(*(m + 1) + 2) = 8;
  return 0;
}
