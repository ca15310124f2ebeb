int one(void) { return 1; }
int x;
int main(void) {
  x = 1;
b:
  x = 2;
e:
  x = 3;
  return 0;
}
