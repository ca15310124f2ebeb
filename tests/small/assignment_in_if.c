int x;
int f(void) { return 3; }
int main(void) {
  if ((x = f()) > 2)
    x = 8;
  else
    x = 9;
  return 0;
}
