int x;
int main(void) {
  int n = 0;
b:
  x = n;
  if (n++ < 2)
    goto b;
e:
  x = 9;
  return 0;
}
