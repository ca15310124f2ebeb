struct c {
  int c;
};
struct b {
  struct c b[2];
};
struct {
  struct b a;
} s, *p = &s;
int i = 1;
int main(void) {
  p->a.b[i].c = 3;
  int *q = &s.a.b[1].c;
  *q = 4;
  (&s.a.b[0] + 1)->c++;
  1 [p->a.b].c = 6;
  return 0;
}
