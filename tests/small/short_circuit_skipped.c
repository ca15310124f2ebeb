int x;
int z;
int main(int c, char **v) {
  z && (x = 1);
  return 0;
}
