int x;
void s1(int *p) {
  *p = 1;
}
void s2(int *p) {
  *p = 2;
}
void (*t[])(int *) = {s1, s2};
int main(void) {
  for (int i = 0; i < 2; i++)
    t[i](&x);
  return 0;
}
