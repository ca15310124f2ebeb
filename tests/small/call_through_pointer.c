int x;
void a(void) { x = 1; }
void b(void) { x = 2; }
int main(int c, char **v) {
  void (*f)(void) = c > 1 ? a : b;
  f();
  return 0;
}
