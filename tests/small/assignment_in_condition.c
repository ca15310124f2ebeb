int x, n = 3;
int next(void) { return n--; }
int main(void) {
  while ((x = next()) != 0)
    ;
  return 0;
}
