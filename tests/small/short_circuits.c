int x, y;
int main(void) {
  (x = 0) && (x = 9);
  (x = 1) || (x = 9);
  y ? (x = 9) : (x = 2);
  int z = (x = 3) ?: 7;
  x = z + 1;
  y = x == 4 && (x = 5);
  return 0;
}
