int x, y;
int *p = &x, **pp = &p;
int main(void) {
  **pp = 1;
  *pp = &y;
  **pp = 2;
  p = &x;
  *p = 3;
  int ***q = &(int **){&p};
  ***q = 4;
  return 0;
}
