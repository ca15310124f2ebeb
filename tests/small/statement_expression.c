int x;
int main(void) {
  int y = ({
    x = 3;
    x;
  });
  return y;
}
