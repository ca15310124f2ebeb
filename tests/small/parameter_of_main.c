int x;
int main(int argc, char **v) {
  argc = 4;
  return 0;
}
