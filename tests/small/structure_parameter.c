struct s {
  int v;
};
int r;
void f(struct s a) {
b:
  a.v = 3;
  a = (struct s){4};
e:
  r = a.v;
}
int main(void) {
  struct s z = {2};
  f(z);
  return 0;
}
