int a, *p;
int main(void) {
  p = &a;
  return 0;
}
