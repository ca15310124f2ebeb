struct s {
  int a, b;
} x;
struct s mk(int a) {
  struct s r = {a, 2};
  return r;
}
int y;
int main(void) {
  x = mk(1);
  x = mk(2);
  y = mk(3).a;
  return 0;
}
