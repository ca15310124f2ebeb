struct {
  int v;
} a[2], *p = a;
int main(void) {
  p++->v = 3;
  p->v++;
  (--p)->v += 2;
  return 0;
}
