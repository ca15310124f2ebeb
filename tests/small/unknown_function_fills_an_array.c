void ext(int *p);
int a[2];
int main(void) {
  int *p = a;
  ext(p);
  return 0;
}
