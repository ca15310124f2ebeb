int x;
int main(int c, char **v) {
  c > 1 && (x = 1);
  return 0;
}
