struct s {
  int v[2];
} a = {{1, 2}}, b;
int main(void) {
  b = a;
  a.v[0] = 7;
  b = *&a;
  a = a;
  struct s *p = &b, *q = &a;
  *p = (struct s){{3, 4}};
  *q = *p;
  return 0;
}
