int x;
int main(void) {
  const int *p = &x;
  *(int *)p = 1;
  *(int *)(const void *)p = 2;
  return 0;
}
