int x;
int main(int c, char **v) {
  x = c > 5 ? 4 : 2;
  return 0;
}
