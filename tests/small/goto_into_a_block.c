int x;
int main(void) {
  goto in;
  {
    x = 9;
  in:
    x = 1;
  }
  if (0) {
  two:
    x = 2;
    return 0;
  }
  goto two;
}
