struct ops {
  void (*f)(int);
};
int x;
static void a(int v) {
  x = v;
}
static void b(int v) {
  x = v * 2;
}
const struct ops t[] = {{a}, {b}};
int main(void) {
  for (int i = 0; i < 2; i++)
    t[i].f(3);
  return 0;
}
