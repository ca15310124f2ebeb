int x;
int main(void) {
  int z = ({
    x = 1;
    x = 2;
    3;
  });
  x = z;
  *({
    int *p = &x;
    p;
  }) = 4;
  return 0;
}
