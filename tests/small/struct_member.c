struct s {
  int a, b;
} s;
int main(void) {
  s.b = 2;
  s = (struct s){4, 5};
  return 0;
}
