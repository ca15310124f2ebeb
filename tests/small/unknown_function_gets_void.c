void ext(void *p);
int x;
int main(void) {
  void *p = &x;
  ext(p);
  return 0;
}
