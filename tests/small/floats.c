float x;
double d;
int main(void) {
  x = 1.5f;
  x *= 2;
  d = x;
  d /= 2;
  return 0;
}
