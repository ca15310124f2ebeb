int x;
int main(void) {
  __builtin_add_overflow(2, 3, &x);
  __builtin_mul_overflow(2, 3, &x);
  return 0;
}
