int x;
int main(void) {
  __builtin_choose_expr(1, x, x) = 3;
  return 0;
}
