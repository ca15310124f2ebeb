int s;
int main(void) {
  int i = 1;
  {
    int i = 2;
  b:
    i = 5;
  e:
    s = i;
  }
  return i;
}
