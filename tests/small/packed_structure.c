struct __attribute__((packed)) {
  char c;
  int v;
} s;
int main(void) {
  s.v = 3;
  int *p = &s.v;
  *p = 4;
  return 0;
}
