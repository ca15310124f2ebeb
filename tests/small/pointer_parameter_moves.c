struct s {
  int v;
};
void f(struct s *a) {
b:
  a->v = 3;
  a++;
e:;
}
int main(void) {
  struct s z[2] = {{2}, {7}};
  f(z);
  return 0;
}
