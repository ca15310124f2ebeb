int x, y;
int main(void) {
  x = y = x + 1;
  x += y += 2;
  x = (y = 7, y + 1);
  int a[2] = {x = 1, x = 2};
  x = a[0];
  struct {
    int p, q;
  } s = {.q = x = 4, .p = 5};
  x = s.q + s.p;
  return 0;
}
