double d;
int main(void) {
  d = 0.5;
  d *= 2;
  return 0;
}
