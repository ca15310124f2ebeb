struct {
  unsigned a : 3, b : 5;
} s, *p = &s;
int main(void) {
  s.a = 9;
  p->b = 4;
  s.a++;
  s.a += 6;
  p->a--;
  return 0;
}
