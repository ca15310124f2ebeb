struct n {
  int v;
  struct n *next;
} n1, n2;
struct n *h;
int main(void) {
  n1.next = &n2;
  h = &n1;
  h->next->v = 7;
  return 0;
}
