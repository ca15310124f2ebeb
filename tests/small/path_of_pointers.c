struct n {
  int v;
  struct n *next;
} a, b, c, *g;
int main(void) {
  a.next = &b;
  b.next = &c;
  g = &a;
  b.v = 1;
  c.v = 5;
  g->next = &c;
  g = &b;
  c.v = 6;
  return 0;
}
