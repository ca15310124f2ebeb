int x;
int main(void) {
  x = 1;
  x = 1;
  x = 0;
  return 0;
}
